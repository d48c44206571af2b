# SPDX-License-Identifier: Apache-2.0
# Unit tests of the harness.
cupel_add_unit_test(harness-compare harness_compare.c LIBS cupel_harness nc_cpu)
cupel_add_unit_test(harness-rules harness_rules.c LIBS cupel_harness)
target_link_options(unit-harness-rules PRIVATE "LINKER:--build-id=sha1")
