# SPDX-License-Identifier: Apache-2.0
# The oracle knows nothing of the core: no file of golden/oracle or golden/lib includes one of src/core or backends, however indirectly,
# and the oracle's executable has none of its symbols.
if(TARGET cupel-oracle)
  add_test(NAME lint.golden-oracle
           COMMAND "${CMAKE_CURRENT_LIST_DIR}/golden_oracle.sh" "${CMAKE_C_COMPILER}" "${CMAKE_NM}" "${PROJECT_SOURCE_DIR}"
                   "$<TARGET_FILE:cupel-oracle>" "${CMAKE_CURRENT_BINARY_DIR}/golden_oracle")
  set_tests_properties(lint.golden-oracle PROPERTIES LABELS lint TIMEOUT 120 ENVIRONMENT "LC_ALL=C")
endif()
