# SPDX-License-Identifier: Apache-2.0
# What `cmake --install` puts where:
#   bin                the programs cupel and cupel-oracle
#   include/cupel      nc.h and the headers it includes; cupel.h
#   lib                the core's libraries, static and shared, of each backend that was built; the harness
#   lib/cmake/Cupel    the package that find_package(Cupel) reads
#   share/cupel/golden the golden corpora, which `cupel golden` reads
# The prefix may be moved afterwards.
include_guard(GLOBAL)
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(package "${CMAKE_INSTALL_LIBDIR}/cmake/Cupel")
get_property(backends GLOBAL PROPERTY CUPEL_BACKENDS)

set(core)
foreach(backend IN LISTS backends)
  list(APPEND core nc_${backend} nc_${backend}_shared)
endforeach()
install(TARGETS ${core} EXPORT CupelCore)
install(TARGETS cupel_harness cupel_verdict cupel_gate cupel_gate_device cupel_gate_absent cupel EXPORT CupelHarness)
if(TARGET cupel-oracle)
  install(TARGETS cupel-oracle)
endif()
install(DIRECTORY src/core/ DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/cupel" FILES_MATCHING PATTERN "nc*.h" PATTERN kernels EXCLUDE
        PATTERN dialect EXCLUDE PATTERN host EXCLUDE)
install(FILES src/harness/cupel.h DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/cupel")
install(DIRECTORY golden/corpora golden/inputs DESTINATION share/cupel/golden)
install(FILES golden/SHA256SUMS golden/bounds.tsv DESTINATION share/cupel/golden)
install(FILES LICENSE DESTINATION "${CMAKE_INSTALL_DOCDIR}")

install(EXPORT CupelCore NAMESPACE Cupel:: FILE CupelCoreTargets.cmake DESTINATION "${package}")
install(EXPORT CupelHarness NAMESPACE Cupel:: FILE CupelHarnessTargets.cmake DESTINATION "${package}")
set(dependencies ${CUPEL_DEPENDENCIES})
configure_package_config_file(cmake/CupelConfig.cmake.in "${PROJECT_BINARY_DIR}/package/CupelConfig.cmake" INSTALL_DESTINATION "${package}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/package/CupelConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/package/CupelConfig.cmake" "${PROJECT_BINARY_DIR}/package/CupelConfigVersion.cmake"
              cmake/CupelDependencies.cmake cmake/CupelGolden.cmake cmake/CupelProfile.cmake cmake/CupelSourceId.cmake
              cmake/CupelSuite.cmake
        DESTINATION "${package}")
