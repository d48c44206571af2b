# SPDX-License-Identifier: Apache-2.0
# The libraries that the harness, the verdict and the tool link, as targets PkgConfig::CUPEL_<NAME> and Threads::Threads. The build of this
# project and its installed package both read it: one place for names and versions. CUPEL_DEPENDENCIES receives the names. With
# CUPEL_DEPENDENCIES_OPTIONAL set, one that is missing has no target.
set(cupel_required REQUIRED)
if(CUPEL_DEPENDENCIES_OPTIONAL)
  set(cupel_required)
endif()
find_package(Threads ${cupel_required})
find_package(PkgConfig ${cupel_required})
set(CUPEL_DEPENDENCIES)
foreach(dependency IN ITEMS CMOCKA=cmocka>=1.1.5 CRYPTO=libcrypto JANSSON=jansson LIBXML2=libxml-2.0)
  string(REGEX MATCH "^([A-Z0-9]+)=(.*)$" dependency "${dependency}")
  list(APPEND CUPEL_DEPENDENCIES ${CMAKE_MATCH_1})
  if(PKG_CONFIG_FOUND AND NOT TARGET PkgConfig::CUPEL_${CMAKE_MATCH_1})
    pkg_check_modules(CUPEL_${CMAKE_MATCH_1} ${cupel_required} IMPORTED_TARGET GLOBAL ${CMAKE_MATCH_2})
  endif()
endforeach()
