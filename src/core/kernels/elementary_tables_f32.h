// SPDX-License-Identifier: Apache-2.0
// Written by tools/tables/elementary_tables.c (f32); do not edit. docs/elementary.md has the error analysis.
// clang-format off

#define NC_LN2_HIGH_f32 NC_C(0x1.62e4p-1)
#define NC_LN2_LOW_f32 NC_C(0x1.7f7d1cp-20)
#define NC_LOG2_E_f32 NC_C(0x1.715476p+0)
#define NC_HALF_LOG_2PI_f32 NC_C(0x1.d67f1cp-1)
#define NC_HALF_LOG_2PI_LOW_f32 NC_C(0x1.0c97d6p-26)
#define NC_HALF_LOG_2_OVER_PI_f32 NC_C(-0x1.ce6bb2p-3)
#define NC_EULER_f32 NC_C(0x1.2788dp-1)
#define NC_EULER_LOW_f32 NC_C(-0x1.c824f4p-28)
#define NC_SQRT_HALF_f32 NC_C(0x1.6a09e6p-1)
#define NC_SQRT_HALF_LOW_f32 NC_C(0x1.9fcef4p-27)
#define NC_SQRT_2_OVER_PI_f32 NC_C(0x1.988454p-1)

// (2 atanh(s) - 2 s) / s^3 in z = s^2; a row is {low part of c0, c0, c1, ...}
#define nc_log_tail_terms_f32 4
NC_CONSTANT nc_f32 nc_log_tail_f32[5] = {
    NC_C(-0x1.68a344p-26), NC_C(0x1.555556p-1), NC_C(0x1.9999ecp-2), NC_C(0x1.245c38p-2),
    NC_C(0x1.ddd172p-3),
};
// largest relative error of the rounded rows
#define nc_log_tail_error_f32 NC_C(0x1.14p-29)

// (exp(r) - 1 - r) / r^2; a row is {low part of c0, c0, c1, ...}
#define nc_exp_tail_terms_f32 6
NC_CONSTANT nc_f32 nc_exp_tail_f32[7] = {
    NC_C(0x1.71f6dap-30), NC_C(0x1p-1), NC_C(0x1.555556p-3), NC_C(0x1.5554eap-5),
    NC_C(0x1.1110ep-7), NC_C(0x1.6d4318p-10), NC_C(0x1.a124e6p-13),
};
// largest relative error of the rounded rows
#define nc_exp_tail_error_f32 NC_C(0x1.a8p-28)

// exp(x^2) erfc(x); a row is {low part of c0, c0, c1, ...}
#define nc_erfcx_near_terms_f32 8
NC_CONSTANT nc_f32 nc_erfcx_near_f32[9] = {
    NC_C(0x1.945358p-26), NC_C(0x1.8a6adcp-1), NC_C(-0x1.7c857cp-1), NC_C(0x1.2b499ep-1),
    NC_C(-0x1.979996p-2), NC_C(0x1.f084a8p-3), NC_C(-0x1.145846p-3), NC_C(0x1.25007p-4),
    NC_C(-0x1.1a0c4cp-5),
};
// largest relative error of the rounded rows
#define nc_erfcx_near_error_f32 NC_C(0x1.04p-27)

// exp(x^2) erfc(x), eighths of octaves from 1/2; a row is {low part of c0, c0, c1, ...}
#define nc_erfcx_piece_terms_f32 6
NC_CONSTANT nc_f32 nc_erfcx_piece_f32[280] = {
    NC_C(0x1.b0ad32p-28), NC_C(0x1.3334eap-1), NC_C(-0x1.f6a562p-2), NC_C(0x1.5b61f8p-2),
    NC_C(-0x1.a821c8p-3), NC_C(0x1.d59cc6p-4), NC_C(-0x1.df3f2ap-5),
    NC_C(0x1.d47c48p-27), NC_C(0x1.242708p-1), NC_C(-0x1.cd992p-2), NC_C(0x1.363b26p-2),
    NC_C(-0x1.71dd56p-3), NC_C(0x1.90fe18p-4), NC_C(-0x1.917fa4p-5),
    NC_C(0x1.425f42p-28), NC_C(0x1.164fc6p-1), NC_C(-0x1.a8e46cp-2), NC_C(0x1.15c9a4p-2),
    NC_C(-0x1.437574p-3), NC_C(0x1.576b4cp-4), NC_C(-0x1.5165b4p-5),
    NC_C(-0x1.302484p-26), NC_C(0x1.098ea4p-1), NC_C(-0x1.87fbbep-2), NC_C(0x1.f2c0aap-3),
    NC_C(-0x1.1ba8aap-3), NC_C(0x1.26f788p-4), NC_C(-0x1.1c61f6p-5),
    NC_C(-0x1.d3a5fp-28), NC_C(0x1.fb8e56p-2), NC_C(-0x1.6a676ep-2), NC_C(0x1.c0db0ep-3),
    NC_C(-0x1.f2da4cp-4), NC_C(0x1.fc239ap-5), NC_C(-0x1.e0ce7cp-6),
    NC_C(0x1.b9f9ep-28), NC_C(0x1.e5c0bep-2), NC_C(-0x1.4fc092p-2), NC_C(0x1.94ec84p-3),
    NC_C(-0x1.b7ccc6p-4), NC_C(0x1.b6e5ap-5), NC_C(-0x1.979ecp-6),
    NC_C(-0x1.85fb9cp-28), NC_C(0x1.d18882p-2), NC_C(-0x1.37ae6ap-2), NC_C(0x1.6e24e4p-3),
    NC_C(-0x1.84b9d8p-4), NC_C(0x1.7c1d3ep-5), NC_C(-0x1.5a8bdcp-6),
    NC_C(0x1.8c4802p-27), NC_C(0x1.bebec8p-2), NC_C(-0x1.21e43p-2), NC_C(0x1.4bd376p-3),
    NC_C(-0x1.586f5ap-4), NC_C(0x1.4a126cp-5), NC_C(-0x1.276f1cp-6),
    NC_C(0x1.8c4384p-27), NC_C(0x1.a4f55p-2), NC_C(-0x1.04ec88p-2), NC_C(0x1.1f73f8p-3),
    NC_C(-0x1.209266p-4), NC_C(0x1.0c948ep-5), NC_C(-0x1.d3c374p-7),
    NC_C(0x1.e415a8p-29), NC_C(0x1.867492p-2), NC_C(-0x1.c841f2p-3), NC_C(0x1.de35a2p-4),
    NC_C(-0x1.cb8582p-5), NC_C(0x1.9b23c2p-6), NC_C(-0x1.5956cep-7),
    NC_C(0x1.52a3a6p-27), NC_C(0x1.6bb376p-2), NC_C(-0x1.917d7ap-3), NC_C(0x1.90e476p-4),
    NC_C(-0x1.71140ep-5), NC_C(0x1.3da8eep-6), NC_C(-0x1.01802ap-7),
    NC_C(0x1.65cfbap-28), NC_C(0x1.5416ap-2), NC_C(-0x1.63698ep-3), NC_C(0x1.528b04p-4),
    NC_C(-0x1.2ae452p-5), NC_C(0x1.ef47f6p-7), NC_C(-0x1.83ab2ep-8),
    NC_C(0x1.80099cp-30), NC_C(0x1.3f20dp-2), NC_C(-0x1.3c5e94p-3), NC_C(0x1.1fdbbp-4),
    NC_C(-0x1.e7e4f8p-6), NC_C(0x1.8568a6p-7), NC_C(-0x1.267962p-8),
    NC_C(-0x1.aa6028p-27), NC_C(0x1.2c6c3ep-2), NC_C(-0x1.1b110cp-3), NC_C(0x1.ecaed8p-5),
    NC_C(-0x1.9126c6p-6), NC_C(0x1.34a764p-7), NC_C(-0x1.c340b8p-9),
    NC_C(0x1.2901e2p-29), NC_C(0x1.1ba58ep-2), NC_C(-0x1.fcf6c4p-4), NC_C(0x1.a82deap-5),
    NC_C(-0x1.4c2308p-6), NC_C(0x1.ed113cp-8), NC_C(-0x1.5c9dfep-9),
    NC_C(-0x1.028a14p-29), NC_C(0x1.0c8804p-2), NC_C(-0x1.cb9b14p-4), NC_C(0x1.6f472ep-5),
    NC_C(-0x1.14d04cp-6), NC_C(0x1.8cb87p-8), NC_C(-0x1.0f7504p-9),
    NC_C(0x1.ff3b7cp-28), NC_C(0x1.f0fd28p-3), NC_C(-0x1.8d6f74p-4), NC_C(0x1.2adad6p-5),
    NC_C(-0x1.aa241cp-7), NC_C(0x1.22911ap-8), NC_C(-0x1.7af04p-10),
    NC_C(-0x1.f426b4p-28), NC_C(0x1.c3987ep-3), NC_C(-0x1.4baeacp-4), NC_C(0x1.cdc858p-6),
    NC_C(-0x1.32a894p-7), NC_C(0x1.8755aap-9), NC_C(-0x1.dfa86cp-11),
    NC_C(0x1.c5461ep-28), NC_C(0x1.9d7738p-3), NC_C(-0x1.18737ap-4), NC_C(0x1.6afd24p-6),
    NC_C(-0x1.c28dbap-8), NC_C(0x1.0dc33cp-9), NC_C(-0x1.377772p-11),
    NC_C(0x1.3c8622p-28), NC_C(0x1.7d0a5ep-3), NC_C(-0x1.dfc02p-5), NC_C(0x1.21c22cp-6),
    NC_C(-0x1.512f84p-8), NC_C(0x1.7be4acp-10), NC_C(-0x1.9e1894p-12),
    NC_C(-0x1.b4e88ep-28), NC_C(0x1.612a82p-3), NC_C(-0x1.9e8804p-5), NC_C(0x1.d503cep-7),
    NC_C(-0x1.009a88p-8), NC_C(0x1.10b356p-10), NC_C(-0x1.193c24p-12),
    NC_C(-0x1.fa6fap-28), NC_C(0x1.48f8f2p-3), NC_C(-0x1.696d36p-5), NC_C(0x1.804cb4p-7),
    NC_C(-0x1.8c84b6p-9), NC_C(0x1.8e7152p-11), NC_C(-0x1.859386p-13),
    NC_C(-0x1.d0869ep-28), NC_C(0x1.33cb1ap-3), NC_C(-0x1.3dacc8p-5), NC_C(0x1.3e6828p-7),
    NC_C(-0x1.369926p-9), NC_C(0x1.27c89p-11), NC_C(-0x1.12bae6p-13),
    NC_C(0x1.64e8dap-29), NC_C(0x1.211c62p-3), NC_C(-0x1.193eb8p-5), NC_C(0x1.0a7ap-7),
    NC_C(-0x1.ecb578p-10), NC_C(0x1.bda19ap-12), NC_C(-0x1.89f24p-14),
    NC_C(0x1.d7cd3ep-28), NC_C(0x1.08e62cp-3), NC_C(-0x1.da3954p-6), NC_C(0x1.9ef6a6p-8),
    NC_C(-0x1.6372cap-10), NC_C(0x1.2b910cp-12), NC_C(-0x1.ed642ep-15),
    NC_C(0x1.06aa88p-30), NC_C(0x1.dc603ap-4), NC_C(-0x1.81149cp-6), NC_C(0x1.317bdap-8),
    NC_C(-0x1.dc1aa4p-11), NC_C(0x1.6df3d4p-13), NC_C(-0x1.13d1cp-15),
    NC_C(0x1.9f9db4p-29), NC_C(0x1.b096fap-4), NC_C(-0x1.3e981cp-6), NC_C(0x1.cdeaa4p-9),
    NC_C(-0x1.49d468p-11), NC_C(0x1.d189b2p-14), NC_C(-0x1.431106p-16),
    NC_C(0x1.3b9ee2p-29), NC_C(0x1.8c1404p-4), NC_C(-0x1.0bc46cp-6), NC_C(0x1.6534ep-9),
    NC_C(-0x1.d662d2p-12), NC_C(0x1.329958p-14), NC_C(-0x1.89ec4ap-17),
    NC_C(-0x1.c6eb58p-29), NC_C(0x1.6d2f82p-4), NC_C(-0x1.c82c14p-7), NC_C(0x1.19a23p-9),
    NC_C(-0x1.57e094p-12), NC_C(0x1.a03464p-15), NC_C(-0x1.f169d2p-18),
    NC_C(-0x1.72d44cp-29), NC_C(0x1.52b80ep-4), NC_C(-0x1.8914e8p-7), NC_C(0x1.c39a3p-10),
    NC_C(-0x1.00e4d6p-12), NC_C(0x1.2206dap-15), NC_C(-0x1.43d176p-18),
    NC_C(-0x1.7511ap-30), NC_C(0x1.3bcc5ap-4), NC_C(-0x1.5621e4p-7), NC_C(0x1.6f6898p-10),
    NC_C(-0x1.872cccp-13), NC_C(0x1.9da8aep-16), NC_C(-0x1.b12a26p-19),
    NC_C(0x1.a639cap-29), NC_C(0x1.27c2b4p-4), NC_C(-0x1.2c6aecp-7), NC_C(0x1.2ec80ap-10),
    NC_C(-0x1.2ed97ap-13), NC_C(0x1.2d185cp-16), NC_C(-0x1.28c01ep-19),
    NC_C(0x1.5b9388p-30), NC_C(0x1.0e078p-4), NC_C(-0x1.f57caep-8), NC_C(0x1.cea17ep-11),
    NC_C(-0x1.a80e8ap-14), NC_C(0x1.841bfep-17), NC_C(-0x1.5f5022p-20),
    NC_C(-0x1.faf86ap-32), NC_C(0x1.e3db9cp-5), NC_C(-0x1.93108cp-8), NC_C(0x1.4dfcdep-11),
    NC_C(-0x1.134fbp-14), NC_C(0x1.c5524ep-18), NC_C(-0x1.71e034p-21),
    NC_C(-0x1.fa6dfp-30), NC_C(0x1.b634a6p-5), NC_C(-0x1.4ae8bcp-8), NC_C(0x1.f196dap-12),
    NC_C(-0x1.748118p-15), NC_C(0x1.1692e6p-18), NC_C(-0x1.9d904ep-22),
    NC_C(0x1.3ffcd4p-31), NC_C(0x1.90658cp-5), NC_C(-0x1.14782cp-8), NC_C(0x1.7c66a4p-12),
    NC_C(-0x1.04c148p-15), NC_C(0x1.652af2p-19), NC_C(-0x1.e62afp-23),
    NC_C(-0x1.8c1f1ep-30), NC_C(0x1.709346p-5), NC_C(-0x1.d4cddep-9), NC_C(0x1.29376cp-12),
    NC_C(-0x1.77b3d6p-16), NC_C(0x1.da8eb8p-20), NC_C(-0x1.2a1c7ep-23),
    NC_C(-0x1.6cdde2p-32), NC_C(0x1.556d4ep-5), NC_C(-0x1.9276b6p-9), NC_C(0x1.d9242p-13),
    NC_C(-0x1.156066p-16), NC_C(0x1.450284p-20), NC_C(-0x1.7b1178p-24),
    NC_C(-0x1.734fe6p-30), NC_C(0x1.3dfeb8p-5), NC_C(-0x1.5d3ddap-9), NC_C(0x1.7eaa44p-13),
    NC_C(-0x1.a2516ap-17), NC_C(0x1.c9088ap-21), NC_C(-0x1.f1539cp-25),
    NC_C(0x1.0112b8p-32), NC_C(0x1.29910ap-5), NC_C(-0x1.31e66ap-9), NC_C(0x1.39d304p-13),
    NC_C(-0x1.414cd6p-17), NC_C(0x1.48ca34p-21), NC_C(-0x1.4f4442p-25),
};
// largest relative error of the rounded rows
#define nc_erfcx_piece_error_f32 NC_C(0x1.7p-29)

// x exp(x^2) erfc(x) in z = 1/x^2; a row is {low part of c0, c0, c1, ...}
#define nc_erfcx_far_terms_f32 3
NC_CONSTANT nc_f32 nc_erfcx_far_f32[4] = {
    NC_C(0x1.e727c2p-26), NC_C(0x1.20dd74p-1), NC_C(-0x1.20db2p-2), NC_C(0x1.ab0bep-2),
};
// largest relative error of the rounded rows
#define nc_erfcx_far_error_f32 NC_C(0x1.d8p-29)

// Stirling remainder, eighths of octaves from 1/4; a row is {low part of c0, c0, c1, ...}
#define nc_stirling_piece_terms_f32 6
NC_CONSTANT nc_f32 nc_stirling_piece_f32[280] = {
    NC_C(-0x1.6f57fep-29), NC_C(0x1.0a3612p-2), NC_C(-0x1.87fb42p-1), NC_C(0x1.1feabep+1),
    NC_C(-0x1.afac44p+2), NC_C(0x1.4d9f3ep+4), NC_C(-0x1.079b38p+6),
    NC_C(0x1.64df5ap-28), NC_C(0x1.e789fp-3), NC_C(-0x1.48f6c6p-1), NC_C(0x1.b8aaccp+0),
    NC_C(-0x1.2b8174p+2), NC_C(0x1.a1862ep+3), NC_C(-0x1.28d0f2p+5),
    NC_C(-0x1.e19f92p-28), NC_C(0x1.c19788p-3), NC_C(-0x1.182b24p-1), NC_C(0x1.5952ccp+0),
    NC_C(-0x1.ade7aep+1), NC_C(0x1.113828p+3), NC_C(-0x1.616244p+4),
    NC_C(0x1.36339ap-32), NC_C(0x1.a112fcp-3), NC_C(-0x1.e31d84p-2), NC_C(0x1.13f5eep+0),
    NC_C(-0x1.3d391ap+1), NC_C(0x1.72e862p+2), NC_C(-0x1.b85b56p+3),
    NC_C(-0x1.c8f2f8p-31), NC_C(0x1.84e41ap-3), NC_C(-0x1.a4e606p-2), NC_C(0x1.c062e4p-1),
    NC_C(-0x1.df25b8p+0), NC_C(0x1.038f9ep+2), NC_C(-0x1.1cfbbap+3),
    NC_C(-0x1.defa1p-28), NC_C(0x1.6c3a1p-3), NC_C(-0x1.71ffccp-2), NC_C(0x1.716f38p-1),
    NC_C(-0x1.7111e2p+0), NC_C(0x1.74c9d2p+1), NC_C(-0x1.7ce5f4p+2),
    NC_C(0x1.2c332ap-29), NC_C(0x1.5675cep-3), NC_C(-0x1.47cefp-2), NC_C(0x1.341c96p-1),
    NC_C(-0x1.21260ep+0), NC_C(0x1.11b488p+1), NC_C(-0x1.05a64ep+2),
    NC_C(-0x1.2b53cap-28), NC_C(0x1.431becp-3), NC_C(-0x1.246f3cp-2), NC_C(0x1.03b7cep-1),
    NC_C(-0x1.cbd08ap-1), NC_C(0x1.99b918p+0), NC_C(-0x1.70259ep+1),
    NC_C(-0x1.cffca8p-31), NC_C(0x1.29cd18p-3), NC_C(-0x1.f260fap-3), NC_C(0x1.9901fep-2),
    NC_C(-0x1.4de426p-1), NC_C(0x1.127e62p+0), NC_C(-0x1.c4dadep+0),
    NC_C(0x1.b6449cp-28), NC_C(0x1.0d8d52p-3), NC_C(-0x1.99e2fp-3), NC_C(0x1.319fbp-2),
    NC_C(-0x1.c47feap-2), NC_C(0x1.5040f2p-1), NC_C(-0x1.f498cp-1),
    NC_C(0x1.f66766p-30), NC_C(0x1.ec3d3cp-4), NC_C(-0x1.56e9d8p-3), NC_C(0x1.d4b6a2p-3),
    NC_C(-0x1.3da4c6p-2), NC_C(0x1.af1ebcp-2), NC_C(-0x1.24a89p-1),
    NC_C(-0x1.3fa514p-29), NC_C(0x1.c4c038p-4), NC_C(-0x1.23028ep-3), NC_C(0x1.6f39f6p-3),
    NC_C(-0x1.cb2916p-3), NC_C(0x1.1eed02p-2), NC_C(-0x1.664b8ap-2),
    NC_C(0x1.a7ac98p-29), NC_C(0x1.a3091ap-4), NC_C(-0x1.f3f4dp-4), NC_C(0x1.24fdfp-3),
    NC_C(-0x1.541cc8p-3), NC_C(0x1.8a17fcp-3), NC_C(-0x1.c7d604p-3),
    NC_C(-0x1.9a1e6ap-32), NC_C(0x1.85ec24p-4), NC_C(-0x1.b1f9acp-4), NC_C(0x1.dae06p-4),
    NC_C(-0x1.014556p-3), NC_C(0x1.15f7f6p-3), NC_C(-0x1.2b93eap-3),
    NC_C(0x1.e35e02p-29), NC_C(0x1.6c8948p-4), NC_C(-0x1.7c254cp-4), NC_C(0x1.86150cp-4),
    NC_C(-0x1.8c57b2p-4), NC_C(0x1.91413p-4), NC_C(-0x1.94f82ap-4),
    NC_C(0x1.688942p-29), NC_C(0x1.5635bcp-4), NC_C(-0x1.4faadep-4), NC_C(0x1.4441ccp-4),
    NC_C(-0x1.362e24p-4), NC_C(0x1.277b7ap-4), NC_C(-0x1.187ae2p-4),
    NC_C(0x1.9809a4p-31), NC_C(0x1.395b3ap-4), NC_C(-0x1.1a2c46p-4), NC_C(0x1.f516fep-5),
    NC_C(-0x1.b8b54ap-5), NC_C(0x1.8312bp-5), NC_C(-0x1.51752ap-5),
    NC_C(-0x1.a4e9a2p-29), NC_C(0x1.199c9p-4), NC_C(-0x1.c91546p-5), NC_C(0x1.6e51a8p-5),
    NC_C(-0x1.22f2ap-5), NC_C(0x1.cd1426p-6), NC_C(-0x1.6abc92p-6),
    NC_C(0x1.2f0632p-31), NC_C(0x1.ff4b56p-5), NC_C(-0x1.798b42p-5), NC_C(0x1.13adp-5),
    NC_C(-0x1.8f381cp-6), NC_C(0x1.203824p-6), NC_C(-0x1.9d4fcep-7),
    NC_C(0x1.4ff206p-31), NC_C(0x1.d40d12p-5), NC_C(-0x1.3cf9p-5), NC_C(0x1.a90a12p-6),
    NC_C(-0x1.1ac3ccp-6), NC_C(0x1.7704b6p-7), NC_C(-0x1.ee1f6ep-8),
    NC_C(0x1.235186p-31), NC_C(0x1.af7ebcp-5), NC_C(-0x1.0dceccp-5), NC_C(0x1.4e6574p-6),
    NC_C(-0x1.9b7a7p-7), NC_C(0x1.f8a358p-8), NC_C(-0x1.3387bap-8),
    NC_C(0x1.72a89ep-31), NC_C(0x1.9031e6p-5), NC_C(-0x1.d0c346p-6), NC_C(0x1.0bb3bp-6),
    NC_C(-0x1.325ad6p-7), NC_C(0x1.5d69e6p-8), NC_C(-0x1.8c3254p-9),
    NC_C(-0x1.02c6e6p-30), NC_C(0x1.75195ap-5), NC_C(-0x1.946452p-6), NC_C(0x1.b31fc8p-7),
    NC_C(-0x1.d157f4p-8), NC_C(0x1.f00568p-9), NC_C(-0x1.06e7fep-9),
    NC_C(-0x1.cb1b0ep-30), NC_C(0x1.5d6afp-5), NC_C(-0x1.630212p-6), NC_C(0x1.665034p-7),
    NC_C(-0x1.679f04p-8), NC_C(0x1.67c766p-9), NC_C(-0x1.66132ep-10),
    NC_C(-0x1.83ba8p-34), NC_C(0x1.3f0396p-5), NC_C(-0x1.283f22p-6), NC_C(0x1.1187f2p-7),
    NC_C(-0x1.f69b0ap-9), NC_C(0x1.ce0e4cp-10), NC_C(-0x1.a53a64p-11),
    NC_C(0x1.808516p-32), NC_C(0x1.1dd112p-5), NC_C(-0x1.dc24fep-7), NC_C(0x1.8ab584p-8),
    NC_C(-0x1.45cf4ep-9), NC_C(0x1.0cfecap-10), NC_C(-0x1.b9057p-12),
    NC_C(0x1.e15cf2p-31), NC_C(0x1.02da52p-5), NC_C(-0x1.86e27cp-7), NC_C(0x1.25ef5ep-8),
    NC_C(-0x1.b87112p-10), NC_C(0x1.49fa3p-11), NC_C(-0x1.eb6b1p-13),
    NC_C(0x1.d584e8p-32), NC_C(0x1.d90b5ep-6), NC_C(-0x1.4692c4p-7), NC_C(0x1.c1588p-9),
    NC_C(-0x1.3426fep-10), NC_C(0x1.a69486p-12), NC_C(-0x1.20375p-13),
    NC_C(0x1.d9148p-31), NC_C(0x1.b374bep-6), NC_C(-0x1.14e24p-7), NC_C(0x1.5f0e68p-9),
    NC_C(-0x1.bbdbf2p-11), NC_C(0x1.1887acp-12), NC_C(-0x1.60f676p-14),
    NC_C(0x1.d8c6aap-32), NC_C(0x1.936326p-6), NC_C(-0x1.db6946p-8), NC_C(0x1.176a4p-9),
    NC_C(-0x1.47a36p-11), NC_C(0x1.801394p-13), NC_C(-0x1.c066bep-15),
    NC_C(0x1.70c52cp-31), NC_C(0x1.77b53cp-6), NC_C(-0x1.9c8cf2p-8), NC_C(0x1.c3f70cp-10),
    NC_C(-0x1.ee11fep-12), NC_C(0x1.0df804p-13), NC_C(-0x1.25f70ep-15),
    NC_C(0x1.09ccfp-32), NC_C(0x1.5f937cp-6), NC_C(-0x1.695c1cp-8), NC_C(0x1.72a902p-10),
    NC_C(-0x1.7b76eep-12), NC_C(0x1.845c76p-14), NC_C(-0x1.8c2f48p-16),
    NC_C(0x1.30e7fcp-31), NC_C(0x1.40abcap-6), NC_C(-0x1.2cb9b4p-8), NC_C(0x1.1988f6p-10),
    NC_C(-0x1.072344p-12), NC_C(0x1.ed9fecp-15), NC_C(-0x1.cbf666p-17),
    NC_C(-0x1.ef02c8p-31), NC_C(0x1.1f04e8p-6), NC_C(-0x1.e2013cp-9), NC_C(0x1.942964p-11),
    NC_C(-0x1.526f92p-13), NC_C(0x1.1c3176p-15), NC_C(-0x1.dac038p-18),
    NC_C(-0x1.a3657ap-31), NC_C(0x1.03c08ep-6), NC_C(-0x1.8adf98p-9), NC_C(0x1.2bcba4p-11),
    NC_C(-0x1.c6b684p-14), NC_C(0x1.59a09cp-16), NC_C(-0x1.058eap-18),
    NC_C(0x1.90620ep-32), NC_C(0x1.da6c7ep-7), NC_C(-0x1.496104p-9), NC_C(0x1.c8e9dep-12),
    NC_C(-0x1.3c9dacp-14), NC_C(0x1.b79fa2p-17), NC_C(-0x1.301588p-19),
    NC_C(-0x1.c31008p-32), NC_C(0x1.b4895ap-7), NC_C(-0x1.16e9b6p-9), NC_C(0x1.641dp-12),
    NC_C(-0x1.c650cap-15), NC_C(0x1.2242a6p-17), NC_C(-0x1.71ba24p-20),
    NC_C(-0x1.5cd012p-32), NC_C(0x1.943fc4p-7), NC_C(-0x1.de6ac4p-10), NC_C(0x1.1ae528p-12),
    NC_C(-0x1.4e53c6p-15), NC_C(0x1.8ba5aap-18), NC_C(-0x1.d2f268p-21),
    NC_C(0x1.b8f45ap-33), NC_C(0x1.7867f6p-7), NC_C(-0x1.9ed2bap-10), NC_C(0x1.c8e0dep-13),
    NC_C(-0x1.f6e44p-16), NC_C(0x1.151834p-18), NC_C(-0x1.30a4p-21),
    NC_C(-0x1.bca16cp-32), NC_C(0x1.602644p-7), NC_C(-0x1.6b1bf4p-10), NC_C(0x1.7634ecp-13),
    NC_C(-0x1.816ff8p-16), NC_C(0x1.8d6982p-19), NC_C(-0x1.98e976p-22),
};
// largest relative error of the rounded rows
#define nc_stirling_piece_error_f32 NC_C(0x1.04p-28)

// x times the Stirling remainder in z = 1/x^2; a row is {low part of c0, c0, c1, ...}
#define nc_stirling_far_terms_f32 4
NC_CONSTANT nc_f32 nc_stirling_far_f32[5] = {
    NC_C(-0x1.556236p-29), NC_C(0x1.555556p-4), NC_C(-0x1.6c16bap-9), NC_C(0x1.9ff998p-11),
    NC_C(-0x1.2aebd6p-11),
};
// largest relative error of the rounded rows
#define nc_stirling_far_error_f32 NC_C(0x1.94p-36)

// digamma remainder, eighths of octaves from 1/4; a row is {low part of c0, c0, c1, ...}
#define nc_digamma_piece_terms_f32 6
NC_CONSTANT nc_f32 nc_digamma_piece_f32[280] = {
    NC_C(-0x1.6c2758p-26), NC_C(0x1.87fb42p-1), NC_C(-0x1.1feafap+2), NC_C(0x1.43c0dp+4),
    NC_C(-0x1.4c5f82p+6), NC_C(0x1.4a05aep+8), NC_C(-0x1.3fd6dp+10),
    NC_C(-0x1.dae12cp-27), NC_C(0x1.48f6c6p-1), NC_C(-0x1.b8ab08p+1), NC_C(0x1.c141d6p+3),
    NC_C(-0x1.a042f6p+5), NC_C(0x1.737c88p+7), NC_C(-0x1.434f7cp+9),
    NC_C(0x1.e52ea2p-26), NC_C(0x1.182b24p-1), NC_C(-0x1.5952ecp+1), NC_C(0x1.426d98p+3),
    NC_C(-0x1.108976p+5), NC_C(0x1.ba2fd6p+6), NC_C(-0x1.5d77a8p+8),
    NC_C(-0x1.dc262ep-27), NC_C(0x1.e31d84p-2), NC_C(-0x1.13f602p+1), NC_C(0x1.dbd57ap+2),
    NC_C(-0x1.7220ecp+4), NC_C(0x1.137638p+6), NC_C(-0x1.8efe1p+7),
    NC_C(0x1.ef570ep-29), NC_C(0x1.a4e606p-2), NC_C(-0x1.c062fcp+0), NC_C(0x1.675c3p+2),
    NC_C(-0x1.031872p+4), NC_C(0x1.647e08p+5), NC_C(-0x1.dcc506p+6),
    NC_C(0x1.d30614p-27), NC_C(0x1.71ffccp-2), NC_C(-0x1.716f46p+0), NC_C(0x1.14cd5ap+2),
    NC_C(-0x1.7435d4p+3), NC_C(0x1.dc6d18p+4), NC_C(-0x1.280a1ap+6),
    NC_C(0x1.b2c614p-27), NC_C(0x1.47cefp-2), NC_C(-0x1.341c9ep+0), NC_C(0x1.b1b902p+1),
    NC_C(-0x1.11558cp+3), NC_C(0x1.473e66p+4), NC_C(-0x1.7bf834p+5),
    NC_C(-0x1.c9f9e4p-29), NC_C(0x1.246f3cp-2), NC_C(-0x1.03b7d4p+0), NC_C(0x1.58dc5cp+1),
    NC_C(-0x1.993ba6p+2), NC_C(0x1.cc68a2p+3), NC_C(-0x1.f5d582p+4),
    NC_C(-0x1.b11046p-28), NC_C(0x1.f260fap-3), NC_C(-0x1.990268p-1), NC_C(0x1.f4d586p+0),
    NC_C(-0x1.116358p+2), NC_C(0x1.1b7fdcp+3), NC_C(-0x1.1b2346p+4),
    NC_C(-0x1.c85074p-28), NC_C(0x1.99e2fp-3), NC_C(-0x1.319fe6p-1), NC_C(0x1.535f9ep+0),
    NC_C(-0x1.4f273cp+1), NC_C(0x1.394ap+2), NC_C(-0x1.19c982p+3),
    NC_C(-0x1.198d0ep-28), NC_C(0x1.56e9d8p-3), NC_C(-0x1.d4b6dap-2), NC_C(0x1.dc76dep-1),
    NC_C(-0x1.adf2ecp+0), NC_C(0x1.6e39cp+1), NC_C(-0x1.2be3ap+2),
    NC_C(0x1.195c6ep-32), NC_C(0x1.23028ep-3), NC_C(-0x1.6f3a14p-2), NC_C(0x1.585eaap-1),
    NC_C(-0x1.1e4476p+0), NC_C(0x1.c048bp+0), NC_C(-0x1.5125ccp+1),
    NC_C(-0x1.3ba9aep-29), NC_C(0x1.f3f4dp-4), NC_C(-0x1.24fe04p-2), NC_C(0x1.fe2bp-2),
    NC_C(-0x1.8951ap-1), NC_C(0x1.1d1f8ap+0), NC_C(-0x1.8cc5bp+0),
    NC_C(-0x1.243bd8p-29), NC_C(0x1.b1f9acp-4), NC_C(-0x1.dae076p-3), NC_C(0x1.81e7e8p-2),
    NC_C(-0x1.157ea2p-1), NC_C(0x1.76ba9ep-1), NC_C(-0x1.e56314p-1),
    NC_C(-0x1.6007c4p-31), NC_C(0x1.7c254cp-4), NC_C(-0x1.86151ap-3), NC_C(0x1.2941b6p-2),
    NC_C(-0x1.90a7bep-2), NC_C(0x1.fa83eap-2), NC_C(-0x1.32f02ap-1),
    NC_C(-0x1.ca4d9cp-29), NC_C(0x1.4faadep-4), NC_C(-0x1.4441d4p-3), NC_C(0x1.d14524p-3),
    NC_C(-0x1.271798p-2), NC_C(0x1.5ec91ap-2), NC_C(-0x1.8f90eap-2),
    NC_C(-0x1.d32034p-30), NC_C(0x1.1a2c46p-4), NC_C(-0x1.f517a4p-4), NC_C(0x1.4a8768p-3),
    NC_C(-0x1.81593ep-3), NC_C(0x1.a6931ap-3), NC_C(-0x1.b99dbcp-3),
    NC_C(-0x1.4d2fecp-30), NC_C(0x1.c91546p-5), NC_C(-0x1.6e51f8p-4), NC_C(0x1.b46b74p-4),
    NC_C(-0x1.cb6866p-4), NC_C(0x1.c613d4p-4), NC_C(-0x1.abe1dep-4),
    NC_C(-0x1.3b52a8p-32), NC_C(0x1.798b42p-5), NC_C(-0x1.13ad28p-4), NC_C(0x1.2b69dap-4),
    NC_C(-0x1.1f5a32p-4), NC_C(0x1.02a144p-4), NC_C(-0x1.bc0164p-5),
    NC_C(-0x1.cfcc24p-32), NC_C(0x1.3cf9p-5), NC_C(-0x1.a90a4p-5), NC_C(0x1.a82576p-5),
    NC_C(-0x1.761106p-5), NC_C(0x1.3523a8p-5), NC_C(-0x1.e778e2p-6),
    NC_C(0x1.eccbb4p-36), NC_C(0x1.0dceccp-5), NC_C(-0x1.4e658ep-5), NC_C(0x1.349bb4p-5),
    NC_C(-0x1.f78ad8p-6), NC_C(0x1.80beccp-6), NC_C(-0x1.188d04p-6),
    NC_C(-0x1.79584p-32), NC_C(0x1.d0c346p-6), NC_C(-0x1.0bb3cp-5), NC_C(0x1.cb881ep-6),
    NC_C(-0x1.5cc1d4p-6), NC_C(0x1.ef9dcap-7), NC_C(-0x1.502edep-7),
    NC_C(0x1.91e7a4p-31), NC_C(0x1.946452p-6), NC_C(-0x1.b31fdap-6), NC_C(0x1.5d01e2p-6),
    NC_C(-0x1.ef34e6p-7), NC_C(0x1.48d9p-7), NC_C(-0x1.a11082p-8),
    NC_C(-0x1.07d2e4p-33), NC_C(0x1.630212p-6), NC_C(-0x1.66504p-6), NC_C(0x1.0db736p-6),
    NC_C(-0x1.674218p-7), NC_C(0x1.bfdap-8), NC_C(-0x1.0aa47p-8),
    NC_C(-0x1.e02874p-31), NC_C(0x1.283f24p-6), NC_C(-0x1.11885ep-6), NC_C(0x1.78f384p-7),
    NC_C(-0x1.cbcf36p-8), NC_C(0x1.07c712p-8), NC_C(-0x1.1fa93ep-9),
    NC_C(-0x1.51fa26p-35), NC_C(0x1.dc24fep-7), NC_C(-0x1.8ab5e8p-7), NC_C(0x1.e8b65p-8),
    NC_C(-0x1.0bf018p-8), NC_C(0x1.1411eep-9), NC_C(-0x1.0ec87ap-10),
    NC_C(0x1.2f937cp-32), NC_C(0x1.86e27cp-7), NC_C(-0x1.25ef92p-7), NC_C(0x1.4a548p-8),
    NC_C(-0x1.48e834p-9), NC_C(0x1.33888cp-10), NC_C(-0x1.12102ap-11),
    NC_C(-0x1.50ad8p-33), NC_C(0x1.4692c4p-7), NC_C(-0x1.c158b8p-8), NC_C(0x1.ce3a34p-9),
    NC_C(-0x1.a56e2p-10), NC_C(0x1.68a92ep-11), NC_C(-0x1.267686p-12),
    NC_C(-0x1.87937ap-32), NC_C(0x1.14e24p-7), NC_C(-0x1.5f0e88p-8), NC_C(0x1.4ce4cep-9),
    NC_C(-0x1.17e162p-10), NC_C(0x1.b99c58p-12), NC_C(-0x1.4ca452p-13),
    NC_C(0x1.dbd912p-33), NC_C(0x1.db6946p-8), NC_C(-0x1.176a52p-8), NC_C(0x1.eb74e4p-10),
    NC_C(-0x1.7f4f8ap-11), NC_C(0x1.187942p-12), NC_C(-0x1.8824f2p-14),
    NC_C(-0x1.9c2374p-36), NC_C(0x1.9c8cf2p-8), NC_C(-0x1.c3f722p-9), NC_C(0x1.728d66p-10),
    NC_C(-0x1.0d8022p-11), NC_C(0x1.6fb5e8p-13), NC_C(-0x1.df976cp-15),
    NC_C(0x1.3e0a6ep-33), NC_C(0x1.695c1cp-8), NC_C(-0x1.72a91p-9), NC_C(0x1.1c9924p-10),
    NC_C(-0x1.83c516p-12), NC_C(0x1.ef881cp-14), NC_C(-0x1.2eccfcp-15),
    NC_C(-0x1.a4852cp-34), NC_C(0x1.2cb9b4p-8), NC_C(-0x1.19896ep-9), NC_C(0x1.8ab404p-11),
    NC_C(-0x1.eb1d1ap-13), NC_C(0x1.200f8ap-14), NC_C(-0x1.418be6p-16),
    NC_C(-0x1.0e8e62p-34), NC_C(0x1.e2013cp-9), NC_C(-0x1.9429d4p-10), NC_C(0x1.fba6a2p-12),
    NC_C(-0x1.1b0818p-13), NC_C(0x1.29342cp-15), NC_C(-0x1.29768p-17),
    NC_C(-0x1.990c4p-34), NC_C(0x1.8adf98p-9), NC_C(-0x1.2bcbdcp-10), NC_C(0x1.55089p-12),
    NC_C(-0x1.5877c2p-14), NC_C(0x1.47627cp-16), NC_C(-0x1.28f0bep-18),
    NC_C(-0x1.79d658p-34), NC_C(0x1.496104p-9), NC_C(-0x1.c8ea18p-11), NC_C(0x1.daec3p-13),
    NC_C(-0x1.b6642ep-15), NC_C(0x1.7c87e6p-17), NC_C(-0x1.3b8602p-19),
    NC_C(0x1.fe8ec4p-35), NC_C(0x1.16e9b6p-9), NC_C(-0x1.641d22p-11), NC_C(0x1.54bc6ep-13),
    NC_C(-0x1.219212p-15), NC_C(0x1.ce990ap-18), NC_C(-0x1.613afp-20),
    NC_C(0x1.638908p-35), NC_C(0x1.de6ac4p-10), NC_C(-0x1.1ae53ap-11), NC_C(0x1.f57d7cp-14),
    NC_C(-0x1.8ad708p-16), NC_C(0x1.24146cp-18), NC_C(-0x1.9d55b2p-21),
    NC_C(0x1.f9ff7p-39), NC_C(0x1.9ed2bap-10), NC_C(-0x1.c8e0f6p-12), NC_C(0x1.792b16p-14),
    NC_C(-0x1.149aap-16), NC_C(0x1.7d11fcp-19), NC_C(-0x1.f665b4p-22),
    NC_C(-0x1.598e1ep-39), NC_C(0x1.6b1bf4p-10), NC_C(-0x1.7634fcp-12), NC_C(0x1.2113eap-14),
    NC_C(-0x1.8ccbcp-17), NC_C(0x1.ff74fp-20), NC_C(-0x1.3b8fd6p-22),
};
// largest relative error of the rounded rows
#define nc_digamma_piece_error_f32 NC_C(0x1.dcp-27)

// x^2 times the digamma remainder in z = 1/x^2; a row is {low part of c0, c0, c1, ...}
#define nc_digamma_far_terms_f32 4
NC_CONSTANT nc_f32 nc_digamma_far_f32[5] = {
    NC_C(-0x1.55c77ep-29), NC_C(0x1.555556p-4), NC_C(-0x1.111102p-7), NC_C(0x1.03ec48p-8),
    NC_C(-0x1.026adcp-8),
};
// largest relative error of the rounded rows
#define nc_digamma_far_error_f32 NC_C(0x1.a8p-34)

// -lgamma(1+a) / (a (1-a)) about 1/2; a row is {low part of c0, c0, c1, ...}
#define nc_lgamma_ratio_terms_f32 11
NC_CONSTANT nc_f32 nc_lgamma_ratio_f32[12] = {
    NC_C(-0x1.ed67cep-27), NC_C(0x1.eeb95cp-2), NC_C(-0x1.2aed06p-3), NC_C(0x1.01af64p-4),
    NC_C(-0x1.0079a6p-5), NC_C(0x1.1332e2p-6), NC_C(-0x1.353552p-7), NC_C(0x1.655f82p-8),
    NC_C(-0x1.988c9p-9), NC_C(0x1.e89b34p-10), NC_C(-0x1.8fa284p-10), NC_C(0x1.ea2c9ap-11),
};
// largest relative error of the rounded rows
#define nc_lgamma_ratio_error_f32 NC_C(0x1.44p-28)

// (psi(1+x) + Euler) / x; a row is {low part of c0, c0, c1, ...}
#define nc_digamma_slope_terms_f32 7
NC_CONSTANT nc_f32 nc_digamma_slope_f32[8] = {
    NC_C(0x1.6ceea4p-28), NC_C(0x1.a51a66p+0), NC_C(-0x1.33b9eap+0), NC_C(0x1.150d8cp+0),
    NC_C(-0x1.08ea64p+0), NC_C(0x1.fc0222p-1), NC_C(-0x1.b2366ep-1), NC_C(0x1.cd9a78p-2),
};
// largest relative error of the rounded rows
#define nc_digamma_slope_error_f32 NC_C(0x1.9p-28)

// Gauss-Legendre rule on [0, 1]: {node, weight}
#define nc_gauss_points_f32 8
NC_CONSTANT nc_f32 nc_gauss_f32[16] = {
    NC_C(0x1.454e34p-6), NC_C(0x1.9ea1dp-5),
    NC_C(0x1.a06d54p-4), NC_C(0x1.c76fb6p-4),
    NC_C(0x1.e5dad4p-3), NC_C(0x1.413c5p-3),
    NC_C(0x1.a214dap-2), NC_C(0x1.73636p-3),
    NC_C(0x1.2ef592p-1), NC_C(0x1.73636p-3),
    NC_C(0x1.86894ap-1), NC_C(0x1.413c5p-3),
    NC_C(0x1.cbf256p-1), NC_C(0x1.c76fb6p-4),
    NC_C(0x1.f5d58ep-1), NC_C(0x1.9ea1dp-5),
};
