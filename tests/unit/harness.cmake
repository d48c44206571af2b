# SPDX-License-Identifier: Apache-2.0
# Unit tests of the harness.
cupel_add_unit_test(harness-compare harness_compare.c LIBS cupel_harness nc_cpu)
cupel_add_unit_test(harness-rules harness_rules.c LIBS cupel_harness)
target_link_options(unit-harness-rules PRIVATE "LINKER:--build-id=sha1")
cupel_add_unit_test(harness-case harness_case.c LIBS cupel_harness nc_cpu)

# Suites that misbehave, one executable each.
foreach(kind IN ITEMS pass fail segv abort exit quick-exit skip assert fork hang backend)
  string(TOUPPER "FIXTURE_${kind}" macro)
  string(REPLACE "-" "_" macro "${macro}")
  add_executable(harness-fixture-${kind} harness_fixture.c)
  target_compile_definitions(harness-fixture-${kind} PRIVATE ${macro})
  target_link_libraries(harness-fixture-${kind} PRIVATE cupel_harness nc_cpu cupel_flags)
  target_link_options(harness-fixture-${kind} PRIVATE "LINKER:--build-id=sha1")
  list(APPEND harness_fixtures harness-fixture-${kind})
endforeach()
cupel_add_unit_test(harness-process harness_process.c LIBS cupel_harness nc_cpu)
target_compile_definitions(unit-harness-process PRIVATE FIXTURES="${CMAKE_RUNTIME_OUTPUT_DIRECTORY}")
add_dependencies(unit-harness-process ${harness_fixtures})
