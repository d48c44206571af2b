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

# The example of docs/adding-a-case.md is compiled as it stands there, and run.
set(guide "${PROJECT_SOURCE_DIR}/docs/adding-a-case.md")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${guide}")
file(READ "${guide}" text)
if(NOT text MATCHES "```c\n([^`]+)```")
  message(FATAL_ERROR "${guide} has no example")
endif()
file(CONFIGURE OUTPUT "${CMAKE_CURRENT_BINARY_DIR}/guide_example.c" CONTENT "${CMAKE_MATCH_1}" @ONLY)
cupel_suite_target_source(cpu static "${CMAKE_CURRENT_BINARY_DIR}/guide_example.target.c")
add_executable(harness-guide-example "${CMAKE_CURRENT_BINARY_DIR}/guide_example.c" "${CMAKE_CURRENT_BINARY_DIR}/guide_example.target.c")
target_include_directories(harness-guide-example PRIVATE "${PROJECT_BINARY_DIR}/cupel")
target_link_libraries(harness-guide-example PRIVATE cupel_harness nc_cpu cupel_flags)
add_dependencies(harness-guide-example cupel_source_id)
foreach(dtype IN ITEMS f32 f64)
  add_test(NAME unit.harness-guide-example-${dtype} COMMAND harness-guide-example --case example.axpy.adds.${dtype})
  set_tests_properties(unit.harness-guide-example-${dtype} PROPERTIES LABELS unit TIMEOUT 60)
endforeach()

# The device test under a real ctest. The absent gate is that of a backend which does not exist.
file(CONFIGURE OUTPUT "${CMAKE_CURRENT_BINARY_DIR}/absent_gate.target.c" CONTENT [[
extern const char cupel_expected_backend[];
extern const char cupel_absent_reason[];
extern const char cupel_absent_install[];
const char cupel_expected_backend[] = "absent";
const char cupel_absent_reason[] = "backend absent was not built: there is none";
const char cupel_absent_install[] = "Write one.";
]] @ONLY)
add_executable(harness-absent-gate "${CMAKE_CURRENT_BINARY_DIR}/absent_gate.target.c")
target_link_libraries(harness-absent-gate PRIVATE Cupel::gate Cupel::gate_absent cupel_flags)
foreach(name IN ITEMS gate gate-refusals)
  string(REPLACE - _ source ${name})
  cupel_add_unit_test(harness-${name} harness_${source}.c gate_tree.c LIBS PkgConfig::CUPEL_JANSSON)
  target_compile_definitions(unit-harness-${name} PRIVATE CTEST="${CMAKE_CTEST_COMMAND}" BINARIES="${CMAKE_RUNTIME_OUTPUT_DIRECTORY}")
  add_dependencies(unit-harness-${name} device-gate-cpu harness-absent-gate)
endforeach()
