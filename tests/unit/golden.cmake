# SPDX-License-Identifier: Apache-2.0
# Unit tests of the golden format, its bounds and the oracle's judgement.
function(cupel_add_golden_test name)
  cupel_add_unit_test(golden-${name} ${ARGN})
  if(NOT "golden_runner" IN_LIST ARGN) # it has the definition already
    target_compile_definitions(unit-golden-${name} PRIVATE CUPEL_GOLDEN_DIR="${PROJECT_SOURCE_DIR}/golden")
  endif()
  target_compile_options(unit-golden-${name} PRIVATE -ffp-contract=off)
endfunction()

cupel_add_golden_test(bounds test_golden_bounds.c LIBS golden_format)
cupel_add_golden_test(corpus test_golden_corpus.c LIBS golden_format)
cupel_add_golden_test(lock test_golden_lock.c LIBS golden_runner)
cupel_add_golden_test(number test_golden_number.c LIBS golden_format)
cupel_add_golden_test(row test_golden_row.c LIBS golden_format)
cupel_add_golden_test(slack test_golden_slack.c LIBS golden_format)
if(TARGET golden_oracle)
  cupel_add_golden_test(oracle test_golden_oracle.c LIBS golden_oracle)
  cupel_add_golden_test(hard-points test_golden_hard_points.c LIBS golden_format PkgConfig::CUPEL_MPFR)
endif()

# Locales with a decimal comma, made here because a machine need not have them.
find_program(CUPEL_LOCALEDEF localedef)
set(locales "${PROJECT_BINARY_DIR}/locales")
foreach(language IN ITEMS de_DE tr_TR)
  if(CUPEL_LOCALEDEF AND EXISTS "/usr/share/i18n/locales/${language}" AND NOT EXISTS "${locales}/${language}.UTF-8")
    file(MAKE_DIRECTORY "${locales}")
    execute_process(COMMAND "${CUPEL_LOCALEDEF}" -i ${language} -f UTF-8 "${locales}/${language}.UTF-8" OUTPUT_QUIET ERROR_QUIET)
  endif()
endforeach()
if(EXISTS "${locales}/de_DE.UTF-8" AND EXISTS "${locales}/tr_TR.UTF-8")
  set(CUPEL_TEST_LOCALES "${locales}")
  set_property(TEST unit.golden-number APPEND PROPERTY ENVIRONMENT "LOCPATH=${locales}")
endif()
