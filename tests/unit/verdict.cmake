# SPDX-License-Identifier: Apache-2.0
cupel_add_unit_test(reasons test_reasons.c LIBS cupel_verdict)
cupel_add_unit_test(text test_text.c LIBS cupel_verdict)
