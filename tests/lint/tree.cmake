# SPDX-License-Identifier: Apache-2.0
# The tree's own files, and the documentation: its commands run and print what it shows.
if(NOT Python3_FOUND)
  message(STATUS "lint.tree, lint.docs: not registered, python3 was not found")
  return()
endif()

add_test(NAME lint.tree COMMAND "${Python3_EXECUTABLE}" "${CMAKE_CURRENT_LIST_DIR}/tree.py" "${PROJECT_SOURCE_DIR}")
set_tests_properties(lint.tree PROPERTIES LABELS lint TIMEOUT 60 ENVIRONMENT "LC_ALL=C")

# The pages show what a build without CUDA prints.
if(NOT TARGET nc_cuda)
  file(GLOB docs CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/*.md" "${PROJECT_SOURCE_DIR}/docs/*.md")
  add_test(NAME lint.docs COMMAND "${Python3_EXECUTABLE}" "${CMAKE_CURRENT_LIST_DIR}/docs.py" --source "${PROJECT_SOURCE_DIR}"
           --build "${PROJECT_BINARY_DIR}" ${docs})
  set_tests_properties(lint.docs PROPERTIES LABELS lint TIMEOUT 600 ENVIRONMENT "LC_ALL=C")
endif()

add_test(NAME lint.qualification COMMAND "${Python3_EXECUTABLE}" "${CMAKE_CURRENT_LIST_DIR}/qualification.py" $<TARGET_FILE:cupel>
         "${PROJECT_SOURCE_DIR}")
set_tests_properties(lint.qualification PROPERTIES LABELS lint TIMEOUT 120 ENVIRONMENT "LC_ALL=C")

add_test(NAME lint.example COMMAND "${Python3_EXECUTABLE}" "${CMAKE_CURRENT_LIST_DIR}/example.py" $<TARGET_FILE:example-epidemic>
         "${PROJECT_SOURCE_DIR}")
set_tests_properties(lint.example PROPERTIES LABELS lint TIMEOUT 60 ENVIRONMENT "LC_ALL=C")

add_test(NAME lint.faults COMMAND "${Python3_EXECUTABLE}" "${CMAKE_CURRENT_LIST_DIR}/faults.py" "${PROJECT_SOURCE_DIR}" "${PROJECT_BINARY_DIR}")
set_tests_properties(lint.faults PROPERTIES LABELS lint TIMEOUT 120 ENVIRONMENT "LC_ALL=C;PYTHONDONTWRITEBYTECODE=1")

add_test(NAME lint.counted COMMAND "${Python3_EXECUTABLE}" "${CMAKE_CURRENT_LIST_DIR}/counted.py" "${PROJECT_SOURCE_DIR}")
set_tests_properties(lint.counted PROPERTIES LABELS lint TIMEOUT 60 ENVIRONMENT "LC_ALL=C")

add_test(NAME lint.elementary COMMAND "${Python3_EXECUTABLE}" "${CMAKE_CURRENT_LIST_DIR}/elementary.py" "${PROJECT_SOURCE_DIR}")
set_tests_properties(lint.elementary PROPERTIES LABELS lint TIMEOUT 60 ENVIRONMENT "LC_ALL=C")

add_test(NAME lint.arguments COMMAND "${Python3_EXECUTABLE}" "${CMAKE_CURRENT_LIST_DIR}/arguments.py" "${PROJECT_SOURCE_DIR}")
set_tests_properties(lint.arguments PROPERTIES LABELS lint TIMEOUT 60 ENVIRONMENT "LC_ALL=C")
