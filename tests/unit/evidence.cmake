# SPDX-License-Identifier: Apache-2.0
cupel_add_unit_test(process test_process.c LIBS cupel_evidence)
cupel_add_unit_test(evidence-file test_evidence_file.c LIBS cupel_evidence)
cupel_add_unit_test(sanitize test_sanitize.c LIBS cupel_evidence)
