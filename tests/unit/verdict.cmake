# SPDX-License-Identifier: Apache-2.0
cupel_add_unit_test(records test_records.c LIBS cupel_verdict)
cupel_add_unit_test(reasons test_reasons.c LIBS cupel_verdict)
cupel_add_unit_test(text test_text.c LIBS cupel_verdict)
cupel_add_unit_test(junit-cases test_junit_cases.c LIBS cupel_verdict)
cupel_add_unit_test(junit test_junit.c LIBS cupel_verdict)
cupel_add_unit_test(verdict test_verdict.c verdict_fixture.c LIBS cupel_verdict)
cupel_add_unit_test(verdict-missing test_verdict_missing.c verdict_fixture.c LIBS cupel_verdict)
target_link_options(unit-verdict PRIVATE "LINKER:--build-id=sha1") # the test is its own suite executable
target_link_options(unit-verdict-missing PRIVATE "LINKER:--build-id=sha1")
cupel_add_unit_test(lint test_lint.c verdict_fixture.c LIBS cupel_verdict)
target_link_options(unit-lint PRIVATE "LINKER:--build-id=sha1")
