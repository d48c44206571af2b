# SPDX-License-Identifier: Apache-2.0
cupel_add_unit_test(process test_process.c LIBS cupel_evidence)
cupel_add_unit_test(attempt-device test_attempt_device.c LIBS cupel_evidence)
cupel_add_unit_test(corpora test_corpora.c LIBS cupel_evidence)
cupel_add_unit_test(evidence-file test_evidence_file.c LIBS cupel_evidence)
cupel_add_unit_test(sanitize test_sanitize.c LIBS cupel_evidence)
target_compile_definitions(unit-sanitize PRIVATE SANITIZE_GOES="${CMAKE_CURRENT_LIST_DIR}/sanitize_cases/goes.txt"
                                                 SANITIZE_STAYS="${CMAKE_CURRENT_LIST_DIR}/sanitize_cases/stays.txt")

# A figure of the optimised build; sanitizers take time and memory of their own.
if(NOT CUPEL_SANITIZE)
  cupel_add_unit_test(attempt-large test_attempt_large.c verdict_fixture.c LIBS cupel_evidence)
  target_compile_definitions(unit-attempt-large PRIVATE CUPEL_EXECUTABLE="$<TARGET_FILE:cupel>")
  target_link_options(unit-attempt-large PRIVATE "LINKER:--build-id=sha1")
endif()

# Stands for NVIDIA's management library in the tests of the command line (cli/machine.py).
add_library(fake-nvml MODULE fake_nvml.c)
set_target_properties(fake-nvml PROPERTIES LIBRARY_OUTPUT_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}/fake-nvml"
                      PREFIX "" OUTPUT_NAME "libnvidia-ml" SUFFIX ".so.1")
target_link_libraries(fake-nvml PRIVATE cupel_flags)

# Publishes with a sanitiser that does not do its work, for the tests of the command line (cli/receipt.py).
add_executable(publish-crippled publish_crippled.c)
target_link_libraries(publish-crippled PRIVATE cupel_evidence cupel_flags)

# Makes receipts anew in the tests of the command line (cli/attempts.py).
add_executable(attempt-seal attempt_seal.c)
target_link_libraries(attempt-seal PRIVATE cupel_evidence cupel_flags)
