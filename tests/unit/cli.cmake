# SPDX-License-Identifier: Apache-2.0
# Tests of the command line: tests/unit/cli/<name>.py, label `unit`. Python is a test-time dependency only.
find_package(Python3 COMPONENTS Interpreter)

# Sanitizers take four times as long for each of the many processes of a test. They look for what the code does wrong anywhere, so of
# like attempts the sanitizer build makes one in four; what is found and named is held by the whole tests of the other build.
set(share)
if(CUPEL_SANITIZE)
  set(share --share 4)
endif()

function(cupel_add_cli_test name label)
  add_test(NAME ${label}.cli-${name} COMMAND "${Python3_EXECUTABLE}" "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/cli/${name}.py" --cupel
           $<TARGET_FILE:cupel> --tree "${PROJECT_BINARY_DIR}" --source "${PROJECT_SOURCE_DIR}" ${share})
  set_tests_properties(${label}.cli-${name} PROPERTIES LABELS ${label} TIMEOUT 1200 ENVIRONMENT "LC_ALL=C;PYTHONDONTWRITEBYTECODE=1")
endfunction()

if(Python3_FOUND)
  cupel_add_cli_test(usage unit)
  cupel_add_cli_test(badinput unit)
  cupel_add_cli_test(campaign unit)
  cupel_add_cli_test(forge unit)
  cupel_add_cli_test(machine unit)
  cupel_add_cli_test(publish unit)
  cupel_add_cli_test(receipt unit)
  cupel_add_cli_test(record unit)
  cupel_add_cli_test(steps unit)
  cupel_add_cli_test(run unit)
  cupel_add_cli_test(schema unit)
  cupel_add_cli_test(source unit)
else()
  message(STATUS "unit.cli-*: not registered, python3 was not found")
endif()
