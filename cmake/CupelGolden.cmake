# SPDX-License-Identifier: Apache-2.0
# cupel_add_golden(NAME <name> [DIRECTORY <folder>])
#
# Registers the test golden.<name>, label `golden`: every corpus of the folder is made again, truth by the oracle and answers by the
# CPU reference, and must be the committed bytes. Without DIRECTORY the folder is Cupel's own. docs/golden.md has its layout.
include_guard(GLOBAL)

function(cupel_add_golden)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "NAME;DIRECTORY" "")
  if(NOT arg_NAME OR arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "cupel_add_golden needs NAME; not understood: '${arg_UNPARSED_ARGUMENTS}'")
  endif()
  set(directory)
  if(arg_DIRECTORY)
    cmake_path(ABSOLUTE_PATH arg_DIRECTORY NORMALIZE)
    set(directory --golden "${arg_DIRECTORY}")
  endif()
  add_test(NAME golden.${arg_NAME} COMMAND "$<TARGET_FILE:Cupel::cupel>" golden --check ${directory})
  set_tests_properties(golden.${arg_NAME} PROPERTIES LABELS golden TIMEOUT 600 ENVIRONMENT "LC_ALL=C")
endfunction()
