# SPDX-License-Identifier: Apache-2.0
# The tree's own files.
if(NOT Python3_FOUND)
  message(STATUS "lint.tree: not registered, python3 was not found")
  return()
endif()

add_test(NAME lint.tree COMMAND "${Python3_EXECUTABLE}" "${CMAKE_CURRENT_LIST_DIR}/tree.py" "${PROJECT_SOURCE_DIR}")
set_tests_properties(lint.tree PROPERTIES LABELS lint TIMEOUT 60 ENVIRONMENT "LC_ALL=C")
