// SPDX-License-Identifier: Apache-2.0
// Channels: labels, bitmaps, and layouts with a tag.
#pragma once
#include "CoreAudioBaseTypes.h"

typedef uint32_t AudioChannelLabel;
typedef uint32_t AudioChannelLayoutTag;

// The position of a channel. Labels 1…18 are the number of a bit in the bitmap, plus one.
enum : AudioChannelLabel {
  kAudioChannelLabel_Unknown = 0xFFFFFFFF,
  kAudioChannelLabel_Unused = 0,
  kAudioChannelLabel_UseCoordinates = 100,
  kAudioChannelLabel_Left = 1,
  kAudioChannelLabel_Right = 2,
  kAudioChannelLabel_Center = 3,
  kAudioChannelLabel_LFEScreen = 4,
  kAudioChannelLabel_LeftSurround = 5,
  kAudioChannelLabel_RightSurround = 6,
  kAudioChannelLabel_LeftCenter = 7,
  kAudioChannelLabel_RightCenter = 8,
  kAudioChannelLabel_CenterSurround = 9,
  kAudioChannelLabel_LeftSurroundDirect = 10,
  kAudioChannelLabel_RightSurroundDirect = 11,
  kAudioChannelLabel_TopCenterSurround = 12,
  kAudioChannelLabel_VerticalHeightLeft = 13,
  kAudioChannelLabel_VerticalHeightCenter = 14,
  kAudioChannelLabel_VerticalHeightRight = 15,
  kAudioChannelLabel_TopBackLeft = 16,
  kAudioChannelLabel_TopBackCenter = 17,
  kAudioChannelLabel_TopBackRight = 18,
  kAudioChannelLabel_RearSurroundLeft = 33,
  kAudioChannelLabel_RearSurroundRight = 34,
  kAudioChannelLabel_LeftWide = 35,
  kAudioChannelLabel_RightWide = 36,
  kAudioChannelLabel_LFE2 = 37,
  kAudioChannelLabel_LeftTotal = 38,
  kAudioChannelLabel_RightTotal = 39,
  kAudioChannelLabel_HearingImpaired = 40,
  kAudioChannelLabel_Narration = 41,
  kAudioChannelLabel_Mono = 42,
  kAudioChannelLabel_DialogCentricMix = 43,
  kAudioChannelLabel_CenterSurroundDirect = 44,
  kAudioChannelLabel_Haptic = 45,
  kAudioChannelLabel_LeftTopFront = kAudioChannelLabel_VerticalHeightLeft,
  kAudioChannelLabel_CenterTopFront = kAudioChannelLabel_VerticalHeightCenter,
  kAudioChannelLabel_RightTopFront = kAudioChannelLabel_VerticalHeightRight,
  kAudioChannelLabel_LeftTopMiddle = 49,
  kAudioChannelLabel_CenterTopMiddle = kAudioChannelLabel_TopCenterSurround,
  kAudioChannelLabel_RightTopMiddle = 51,
  kAudioChannelLabel_LeftTopRear = 52,
  kAudioChannelLabel_CenterTopRear = 53,
  kAudioChannelLabel_RightTopRear = 54,
  kAudioChannelLabel_Ambisonic_W = 200,
  kAudioChannelLabel_Ambisonic_X = 201,
  kAudioChannelLabel_Ambisonic_Y = 202,
  kAudioChannelLabel_Ambisonic_Z = 203,
  kAudioChannelLabel_MS_Mid = 204,
  kAudioChannelLabel_MS_Side = 205,
  kAudioChannelLabel_XY_X = 206,
  kAudioChannelLabel_XY_Y = 207,
  kAudioChannelLabel_BinauralLeft = 208,
  kAudioChannelLabel_BinauralRight = 209,
  kAudioChannelLabel_HeadphonesLeft = 301,
  kAudioChannelLabel_HeadphonesRight = 302,
  kAudioChannelLabel_ClickTrack = 304,
  kAudioChannelLabel_ForeignLanguage = 305,
  kAudioChannelLabel_Discrete = 400,
  kAudioChannelLabel_Discrete_0 = 1u << 16,
  kAudioChannelLabel_Discrete_1 = 1u << 16 | 1,
  kAudioChannelLabel_Discrete_2 = 1u << 16 | 2,
  kAudioChannelLabel_Discrete_3 = 1u << 16 | 3,
  kAudioChannelLabel_Discrete_4 = 1u << 16 | 4,
  kAudioChannelLabel_Discrete_5 = 1u << 16 | 5,
  kAudioChannelLabel_Discrete_6 = 1u << 16 | 6,
  kAudioChannelLabel_Discrete_7 = 1u << 16 | 7,
  kAudioChannelLabel_Discrete_8 = 1u << 16 | 8,
  kAudioChannelLabel_Discrete_9 = 1u << 16 | 9,
  kAudioChannelLabel_Discrete_10 = 1u << 16 | 10,
  kAudioChannelLabel_Discrete_11 = 1u << 16 | 11,
  kAudioChannelLabel_Discrete_12 = 1u << 16 | 12,
  kAudioChannelLabel_Discrete_13 = 1u << 16 | 13,
  kAudioChannelLabel_Discrete_14 = 1u << 16 | 14,
  kAudioChannelLabel_Discrete_15 = 1u << 16 | 15,
  kAudioChannelLabel_Discrete_65535 = 1u << 16 | 65535,
  kAudioChannelLabel_HOA_ACN = 500,
  kAudioChannelLabel_HOA_ACN_0 = 2u << 16,
  kAudioChannelLabel_HOA_ACN_1 = 2u << 16 | 1,
  kAudioChannelLabel_HOA_ACN_2 = 2u << 16 | 2,
  kAudioChannelLabel_HOA_ACN_3 = 2u << 16 | 3,
  kAudioChannelLabel_HOA_ACN_15 = 2u << 16 | 15,
  kAudioChannelLabel_HOA_ACN_65024 = 2u << 16 | 65024,
  kAudioChannelLabel_BeginReserved = 0xF0000000,
  kAudioChannelLabel_EndReserved = 0xFFFFFFFE,
};

// The channels of a layout, in the order of their bits, as in WAVE files.
typedef CORE_AUDIO_OPTIONS(AudioChannelBitmap, uint32_t) {
  kAudioChannelBit_Left CORE_AUDIO_SWIFT_NAME(bit_Left) = 1u << 0,
  kAudioChannelBit_Right CORE_AUDIO_SWIFT_NAME(bit_Right) = 1u << 1,
  kAudioChannelBit_Center CORE_AUDIO_SWIFT_NAME(bit_Center) = 1u << 2,
  kAudioChannelBit_LFEScreen CORE_AUDIO_SWIFT_NAME(bit_LFEScreen) = 1u << 3,
  kAudioChannelBit_LeftSurround CORE_AUDIO_SWIFT_NAME(bit_LeftSurround) = 1u << 4,
  kAudioChannelBit_RightSurround CORE_AUDIO_SWIFT_NAME(bit_RightSurround) = 1u << 5,
  kAudioChannelBit_LeftCenter CORE_AUDIO_SWIFT_NAME(bit_LeftCenter) = 1u << 6,
  kAudioChannelBit_RightCenter CORE_AUDIO_SWIFT_NAME(bit_RightCenter) = 1u << 7,
  kAudioChannelBit_CenterSurround CORE_AUDIO_SWIFT_NAME(bit_CenterSurround) = 1u << 8,
  kAudioChannelBit_LeftSurroundDirect CORE_AUDIO_SWIFT_NAME(bit_LeftSurroundDirect) = 1u << 9,
  kAudioChannelBit_RightSurroundDirect CORE_AUDIO_SWIFT_NAME(bit_RightSurroundDirect) = 1u << 10,
  kAudioChannelBit_TopCenterSurround CORE_AUDIO_SWIFT_NAME(bit_TopCenterSurround) = 1u << 11,
  kAudioChannelBit_VerticalHeightLeft CORE_AUDIO_SWIFT_NAME(bit_VerticalHeightLeft) = 1u << 12,
  kAudioChannelBit_VerticalHeightCenter
  CORE_AUDIO_SWIFT_NAME(bit_VerticalHeightCenter) = 1u << 13,
  kAudioChannelBit_VerticalHeightRight CORE_AUDIO_SWIFT_NAME(bit_VerticalHeightRight) = 1u << 14,
  kAudioChannelBit_TopBackLeft CORE_AUDIO_SWIFT_NAME(bit_TopBackLeft) = 1u << 15,
  kAudioChannelBit_TopBackCenter CORE_AUDIO_SWIFT_NAME(bit_TopBackCenter) = 1u << 16,
  kAudioChannelBit_TopBackRight CORE_AUDIO_SWIFT_NAME(bit_TopBackRight) = 1u << 17,
  kAudioChannelBit_LeftTopFront CORE_AUDIO_SWIFT_NAME(bit_LeftTopFront) = 1u << 12,
  kAudioChannelBit_CenterTopFront CORE_AUDIO_SWIFT_NAME(bit_CenterTopFront) = 1u << 13,
  kAudioChannelBit_RightTopFront CORE_AUDIO_SWIFT_NAME(bit_RightTopFront) = 1u << 14,
  kAudioChannelBit_LeftTopMiddle CORE_AUDIO_SWIFT_NAME(bit_LeftTopMiddle) = 1u << 21,
  kAudioChannelBit_CenterTopMiddle CORE_AUDIO_SWIFT_NAME(bit_CenterTopMiddle) = 1u << 11,
  kAudioChannelBit_RightTopMiddle CORE_AUDIO_SWIFT_NAME(bit_RightTopMiddle) = 1u << 23,
  kAudioChannelBit_LeftTopRear CORE_AUDIO_SWIFT_NAME(bit_LeftTopRear) = 1u << 24,
  kAudioChannelBit_CenterTopRear CORE_AUDIO_SWIFT_NAME(bit_CenterTopRear) = 1u << 25,
  kAudioChannelBit_RightTopRear CORE_AUDIO_SWIFT_NAME(bit_RightTopRear) = 1u << 26,
} AudioChannelBitmap;

// The meaning of a channel's coordinates.
typedef CORE_AUDIO_OPTIONS(AudioChannelFlags, uint32_t) {
  kAudioChannelFlags_AllOff CORE_AUDIO_SWIFT_NAME(allOff) = 0,
  kAudioChannelFlags_RectangularCoordinates
  CORE_AUDIO_SWIFT_NAME(rectangularCoordinates) = 1u << 0,
  kAudioChannelFlags_SphericalCoordinates CORE_AUDIO_SWIFT_NAME(sphericalCoordinates) = 1u << 1,
  kAudioChannelFlags_Meters CORE_AUDIO_SWIFT_NAME(meters) = 1u << 2,
} AudioChannelFlags;

// The index of a coordinate in the three coordinates of a channel.
typedef CORE_AUDIO_ENUM(AudioChannelCoordinateIndex, uint32_t) {
  kAudioChannelCoordinates_LeftRight CORE_AUDIO_SWIFT_NAME(coordinates_LeftRight) = 0,
  kAudioChannelCoordinates_BackFront CORE_AUDIO_SWIFT_NAME(coordinates_BackFront) = 1,
  kAudioChannelCoordinates_DownUp CORE_AUDIO_SWIFT_NAME(coordinates_DownUp) = 2,
  kAudioChannelCoordinates_Azimuth CORE_AUDIO_SWIFT_NAME(coordinates_Azimuth) = 0,
  kAudioChannelCoordinates_Elevation CORE_AUDIO_SWIFT_NAME(coordinates_Elevation) = 1,
  kAudioChannelCoordinates_Distance CORE_AUDIO_SWIFT_NAME(coordinates_Distance) = 2,
} AudioChannelCoordinateIndex;

// Channels in order. The lower 16 bits are the number of channels.
// L left, R right, C centre, LFE low frequencies, Ls Rs surround, Cs centre surround, Rls Rrs rear
// surround, Lc Rc near the centre, Lw Rw wide, Lsd Rsd Csd surround direct, Vhl Vhc Vhr high in
// front, Ts above, Ltm Rtm above in the middle, Ltr Rtr above in the rear, Lt Rt matrix totals.
enum : AudioChannelLayoutTag {
  kAudioChannelLayoutTag_UseChannelDescriptions = 0,
  kAudioChannelLayoutTag_UseChannelBitmap = 1u << 16,
  kAudioChannelLayoutTag_Mono = 100u << 16 | 1,
  kAudioChannelLayoutTag_Stereo = 101u << 16 | 2,
  kAudioChannelLayoutTag_StereoHeadphones = 102u << 16 | 2,
  kAudioChannelLayoutTag_MatrixStereo = 103u << 16 | 2,  // Lt Rt
  kAudioChannelLayoutTag_MidSide = 104u << 16 | 2,
  kAudioChannelLayoutTag_XY = 105u << 16 | 2,
  kAudioChannelLayoutTag_Binaural = 106u << 16 | 2,
  kAudioChannelLayoutTag_Ambisonic_B_Format = 107u << 16 | 4,  // W X Y Z
  kAudioChannelLayoutTag_Quadraphonic = 108u << 16 | 4,  // L R Ls Rs
  kAudioChannelLayoutTag_Pentagonal = 109u << 16 | 5,  // L R Ls Rs C
  kAudioChannelLayoutTag_Hexagonal = 110u << 16 | 6,  // L R Ls Rs C Cs
  kAudioChannelLayoutTag_Octagonal = 111u << 16 | 8,  // L R Ls Rs C Cs Lw Rw
  kAudioChannelLayoutTag_Cube = 112u << 16 | 8,  // L R Rls Rrs, and the same above
  kAudioChannelLayoutTag_MPEG_1_0 = kAudioChannelLayoutTag_Mono,
  kAudioChannelLayoutTag_MPEG_2_0 = kAudioChannelLayoutTag_Stereo,
  kAudioChannelLayoutTag_MPEG_3_0_A = 113u << 16 | 3,  // L R C
  kAudioChannelLayoutTag_MPEG_3_0_B = 114u << 16 | 3,  // C L R
  kAudioChannelLayoutTag_MPEG_4_0_A = 115u << 16 | 4,  // L R C Cs
  kAudioChannelLayoutTag_MPEG_4_0_B = 116u << 16 | 4,  // C L R Cs
  kAudioChannelLayoutTag_MPEG_5_0_A = 117u << 16 | 5,  // L R C Ls Rs
  kAudioChannelLayoutTag_MPEG_5_0_B = 118u << 16 | 5,  // L R Ls Rs C
  kAudioChannelLayoutTag_MPEG_5_0_C = 119u << 16 | 5,  // L C R Ls Rs
  kAudioChannelLayoutTag_MPEG_5_0_D = 120u << 16 | 5,  // C L R Ls Rs
  kAudioChannelLayoutTag_MPEG_5_1_A = 121u << 16 | 6,  // L R C LFE Ls Rs
  kAudioChannelLayoutTag_MPEG_5_1_B = 122u << 16 | 6,  // L R Ls Rs C LFE
  kAudioChannelLayoutTag_MPEG_5_1_C = 123u << 16 | 6,  // L C R Ls Rs LFE
  kAudioChannelLayoutTag_MPEG_5_1_D = 124u << 16 | 6,  // C L R Ls Rs LFE
  kAudioChannelLayoutTag_MPEG_6_1_A = 125u << 16 | 7,  // L R C LFE Ls Rs Cs
  kAudioChannelLayoutTag_MPEG_7_1_A = 126u << 16 | 8,  // L R C LFE Ls Rs Lc Rc
  kAudioChannelLayoutTag_MPEG_7_1_B = 127u << 16 | 8,  // C Lc Rc L R Ls Rs LFE
  kAudioChannelLayoutTag_MPEG_7_1_C = 128u << 16 | 8,  // L R C LFE Ls Rs Rls Rrs
  kAudioChannelLayoutTag_Emagic_Default_7_1 = 129u << 16 | 8,  // L R Ls Rs C LFE Lc Rc
  kAudioChannelLayoutTag_SMPTE_DTV = 130u << 16 | 8,  // L R C LFE Ls Rs Lt Rt
  kAudioChannelLayoutTag_ITU_1_0 = kAudioChannelLayoutTag_Mono,
  kAudioChannelLayoutTag_ITU_2_0 = kAudioChannelLayoutTag_Stereo,
  kAudioChannelLayoutTag_ITU_2_1 = 131u << 16 | 3,  // L R Cs
  kAudioChannelLayoutTag_ITU_2_2 = 132u << 16 | 4,  // L R Ls Rs
  kAudioChannelLayoutTag_ITU_3_0 = kAudioChannelLayoutTag_MPEG_3_0_A,
  kAudioChannelLayoutTag_ITU_3_1 = kAudioChannelLayoutTag_MPEG_4_0_A,
  kAudioChannelLayoutTag_ITU_3_2 = kAudioChannelLayoutTag_MPEG_5_0_A,
  kAudioChannelLayoutTag_ITU_3_2_1 = kAudioChannelLayoutTag_MPEG_5_1_A,
  kAudioChannelLayoutTag_ITU_3_4_1 = kAudioChannelLayoutTag_MPEG_7_1_C,
  kAudioChannelLayoutTag_DVD_0 = kAudioChannelLayoutTag_Mono,
  kAudioChannelLayoutTag_DVD_1 = kAudioChannelLayoutTag_Stereo,
  kAudioChannelLayoutTag_DVD_2 = kAudioChannelLayoutTag_ITU_2_1,
  kAudioChannelLayoutTag_DVD_3 = kAudioChannelLayoutTag_ITU_2_2,
  kAudioChannelLayoutTag_DVD_4 = 133u << 16 | 3,  // L R LFE
  kAudioChannelLayoutTag_DVD_5 = 134u << 16 | 4,  // L R LFE Cs
  kAudioChannelLayoutTag_DVD_6 = 135u << 16 | 5,  // L R LFE Ls Rs
  kAudioChannelLayoutTag_DVD_7 = kAudioChannelLayoutTag_MPEG_3_0_A,
  kAudioChannelLayoutTag_DVD_8 = kAudioChannelLayoutTag_MPEG_4_0_A,
  kAudioChannelLayoutTag_DVD_9 = kAudioChannelLayoutTag_MPEG_5_0_A,
  kAudioChannelLayoutTag_DVD_10 = 136u << 16 | 4,  // L R C LFE
  kAudioChannelLayoutTag_DVD_11 = 137u << 16 | 5,  // L R C LFE Cs
  kAudioChannelLayoutTag_DVD_12 = kAudioChannelLayoutTag_MPEG_5_1_A,
  kAudioChannelLayoutTag_DVD_13 = kAudioChannelLayoutTag_DVD_8,
  kAudioChannelLayoutTag_DVD_14 = kAudioChannelLayoutTag_DVD_9,
  kAudioChannelLayoutTag_DVD_15 = kAudioChannelLayoutTag_DVD_10,
  kAudioChannelLayoutTag_DVD_16 = kAudioChannelLayoutTag_DVD_11,
  kAudioChannelLayoutTag_DVD_17 = kAudioChannelLayoutTag_DVD_12,
  kAudioChannelLayoutTag_DVD_18 = 138u << 16 | 5,  // L R Ls Rs LFE
  kAudioChannelLayoutTag_DVD_19 = kAudioChannelLayoutTag_MPEG_5_0_B,
  kAudioChannelLayoutTag_DVD_20 = kAudioChannelLayoutTag_MPEG_5_1_B,
  kAudioChannelLayoutTag_AudioUnit_4 = kAudioChannelLayoutTag_Quadraphonic,
  kAudioChannelLayoutTag_AudioUnit_5 = kAudioChannelLayoutTag_Pentagonal,
  kAudioChannelLayoutTag_AudioUnit_6 = kAudioChannelLayoutTag_Hexagonal,
  kAudioChannelLayoutTag_AudioUnit_8 = kAudioChannelLayoutTag_Octagonal,
  kAudioChannelLayoutTag_AudioUnit_5_0 = kAudioChannelLayoutTag_MPEG_5_0_B,
  kAudioChannelLayoutTag_AudioUnit_6_0 = 139u << 16 | 6,  // L R Ls Rs C Cs
  kAudioChannelLayoutTag_AudioUnit_7_0 = 140u << 16 | 7,  // L R Ls Rs C Rls Rrs
  kAudioChannelLayoutTag_AudioUnit_7_0_Front = 148u << 16 | 7,  // L R Ls Rs C Lc Rc
  kAudioChannelLayoutTag_AudioUnit_5_1 = kAudioChannelLayoutTag_MPEG_5_1_A,
  kAudioChannelLayoutTag_AudioUnit_6_1 = kAudioChannelLayoutTag_MPEG_6_1_A,
  kAudioChannelLayoutTag_AudioUnit_7_1 = kAudioChannelLayoutTag_MPEG_7_1_C,
  kAudioChannelLayoutTag_AudioUnit_7_1_Front = kAudioChannelLayoutTag_MPEG_7_1_A,
  kAudioChannelLayoutTag_AAC_3_0 = kAudioChannelLayoutTag_MPEG_3_0_B,
  kAudioChannelLayoutTag_AAC_Quadraphonic = kAudioChannelLayoutTag_Quadraphonic,
  kAudioChannelLayoutTag_AAC_4_0 = kAudioChannelLayoutTag_MPEG_4_0_B,
  kAudioChannelLayoutTag_AAC_5_0 = kAudioChannelLayoutTag_MPEG_5_0_D,
  kAudioChannelLayoutTag_AAC_5_1 = kAudioChannelLayoutTag_MPEG_5_1_D,
  kAudioChannelLayoutTag_AAC_6_0 = 141u << 16 | 6,  // C L R Ls Rs Cs
  kAudioChannelLayoutTag_AAC_6_1 = 142u << 16 | 7,  // C L R Ls Rs Cs LFE
  kAudioChannelLayoutTag_AAC_7_0 = 143u << 16 | 7,  // C L R Ls Rs Rls Rrs
  kAudioChannelLayoutTag_AAC_7_1 = kAudioChannelLayoutTag_MPEG_7_1_B,
  kAudioChannelLayoutTag_AAC_7_1_B = 183u << 16 | 8,  // C L R Ls Rs Rls Rrs LFE
  kAudioChannelLayoutTag_AAC_7_1_C = 184u << 16 | 8,  // C L R Ls Rs LFE Vhl Vhr
  kAudioChannelLayoutTag_AAC_Octagonal = 144u << 16 | 8,  // C L R Ls Rs Rls Rrs Cs
  // L R C Vhc Lsd Rsd Ls Rs Vhl Vhr Lw Rw Csd Cs LFE1 LFE2; then Lc Rc and three more
  kAudioChannelLayoutTag_TMH_10_2_std = 145u << 16 | 16,
  kAudioChannelLayoutTag_TMH_10_2_full = 146u << 16 | 21,
  kAudioChannelLayoutTag_AC3_1_0_1 = 149u << 16 | 2,  // C LFE
  kAudioChannelLayoutTag_AC3_3_0 = 150u << 16 | 3,  // L C R
  kAudioChannelLayoutTag_AC3_3_1 = 151u << 16 | 4,  // L C R Cs
  kAudioChannelLayoutTag_AC3_3_0_1 = 152u << 16 | 4,  // L C R LFE
  kAudioChannelLayoutTag_AC3_2_1_1 = 153u << 16 | 4,  // L R Cs LFE
  kAudioChannelLayoutTag_AC3_3_1_1 = 154u << 16 | 5,  // L C R Cs LFE
  kAudioChannelLayoutTag_EAC_6_0_A = 155u << 16 | 6,  // L C R Ls Rs Cs
  kAudioChannelLayoutTag_EAC_7_0_A = 156u << 16 | 7,  // L C R Ls Rs Rls Rrs
  kAudioChannelLayoutTag_EAC3_6_1_A = 157u << 16 | 7,  // L C R Ls Rs LFE Cs
  kAudioChannelLayoutTag_EAC3_6_1_B = 158u << 16 | 7,  // L C R Ls Rs LFE Ts
  kAudioChannelLayoutTag_EAC3_6_1_C = 159u << 16 | 7,  // L C R Ls Rs LFE Vhc
  kAudioChannelLayoutTag_EAC3_7_1_A = 160u << 16 | 8,  // L C R Ls Rs LFE Rls Rrs
  kAudioChannelLayoutTag_EAC3_7_1_B = 161u << 16 | 8,  // L C R Ls Rs LFE Lc Rc
  kAudioChannelLayoutTag_EAC3_7_1_C = 162u << 16 | 8,  // L C R Ls Rs LFE Lsd Rsd
  kAudioChannelLayoutTag_EAC3_7_1_D = 163u << 16 | 8,  // L C R Ls Rs LFE Lw Rw
  kAudioChannelLayoutTag_EAC3_7_1_E = 164u << 16 | 8,  // L C R Ls Rs LFE Vhl Vhr
  kAudioChannelLayoutTag_EAC3_7_1_F = 165u << 16 | 8,  // L C R Ls Rs LFE Cs Ts
  kAudioChannelLayoutTag_EAC3_7_1_G = 166u << 16 | 8,  // L C R Ls Rs LFE Cs Vhc
  kAudioChannelLayoutTag_EAC3_7_1_H = 167u << 16 | 8,  // L C R Ls Rs LFE Ts Vhc
  kAudioChannelLayoutTag_DTS_3_1 = 168u << 16 | 4,  // C L R LFE
  kAudioChannelLayoutTag_DTS_4_1 = 169u << 16 | 5,  // C L R Cs LFE
  kAudioChannelLayoutTag_DTS_6_0_A = 170u << 16 | 6,  // Lc Rc L R Ls Rs
  kAudioChannelLayoutTag_DTS_6_0_B = 171u << 16 | 6,  // C L R Rls Rrs Ts
  kAudioChannelLayoutTag_DTS_6_0_C = 172u << 16 | 6,  // C Cs L R Rls Rrs
  kAudioChannelLayoutTag_DTS_6_1_A = 173u << 16 | 7,  // Lc Rc L R Ls Rs LFE
  kAudioChannelLayoutTag_DTS_6_1_B = 174u << 16 | 7,  // C L R Rls Rrs Ts LFE
  kAudioChannelLayoutTag_DTS_6_1_C = 175u << 16 | 7,  // C Cs L R Rls Rrs LFE
  kAudioChannelLayoutTag_DTS_7_0 = 176u << 16 | 7,  // Lc C Rc L R Ls Rs
  kAudioChannelLayoutTag_DTS_7_1 = 177u << 16 | 8,  // Lc C Rc L R Ls Rs LFE
  kAudioChannelLayoutTag_DTS_8_0_A = 178u << 16 | 8,  // Lc Rc L R Ls Rs Rls Rrs
  kAudioChannelLayoutTag_DTS_8_0_B = 179u << 16 | 8,  // Lc C Rc L R Ls Cs Rs
  kAudioChannelLayoutTag_DTS_8_1_A = 180u << 16 | 9,  // Lc Rc L R Ls Rs Rls Rrs LFE
  kAudioChannelLayoutTag_DTS_8_1_B = 181u << 16 | 9,  // Lc C Rc L R Ls Cs Rs LFE
  kAudioChannelLayoutTag_DTS_6_1_D = 182u << 16 | 7,  // C L R Ls Rs LFE Cs
  kAudioChannelLayoutTag_WAVE_2_1 = kAudioChannelLayoutTag_DVD_4,
  kAudioChannelLayoutTag_WAVE_3_0 = kAudioChannelLayoutTag_MPEG_3_0_A,
  kAudioChannelLayoutTag_WAVE_4_0_A = kAudioChannelLayoutTag_ITU_2_2,
  kAudioChannelLayoutTag_WAVE_4_0_B = 185u << 16 | 4,  // L R Rls Rrs
  kAudioChannelLayoutTag_WAVE_5_0_A = kAudioChannelLayoutTag_MPEG_5_0_A,
  kAudioChannelLayoutTag_WAVE_5_0_B = 186u << 16 | 5,  // L R C Rls Rrs
  kAudioChannelLayoutTag_WAVE_5_1_A = kAudioChannelLayoutTag_MPEG_5_1_A,
  kAudioChannelLayoutTag_WAVE_5_1_B = 187u << 16 | 6,  // L R C LFE Rls Rrs
  kAudioChannelLayoutTag_WAVE_6_1 = 188u << 16 | 7,  // L R C LFE Cs Ls Rs
  kAudioChannelLayoutTag_WAVE_7_1 = 189u << 16 | 8,  // L R C LFE Rls Rrs Ls Rs
  // The number of channels is added to these four.
  kAudioChannelLayoutTag_HOA_ACN_SN3D = 190u << 16,
  kAudioChannelLayoutTag_HOA_ACN_N3D = 191u << 16,
  kAudioChannelLayoutTag_DiscreteInOrder = 147u << 16,
  kAudioChannelLayoutTag_Unknown = 0xFFFF0000,
  // L R C LFE Ls Rs Rls Rrs Vhl Vhr Ltr Rtr
  kAudioChannelLayoutTag_Atmos_7_1_4 = 192u << 16 | 12,
  // L R C LFE Ls Rs Rls Rrs Lw Rw Vhl Vhr Ltm Rtm Ltr Rtr
  kAudioChannelLayoutTag_Atmos_9_1_6 = 193u << 16 | 16,
  kAudioChannelLayoutTag_Atmos_5_1_2 = 194u << 16 | 8,  // L R C LFE Ls Rs Ltm Rtm
  kAudioChannelLayoutTag_BeginReserved = 0xF0000000,
  kAudioChannelLayoutTag_EndReserved = 0xFFFEFFFF,
};

typedef struct AudioChannelDescription {
  AudioChannelLabel mChannelLabel;
  AudioChannelFlags mChannelFlags;
  float mCoordinates[3];
} AudioChannelDescription;

// A layout with its first description, which is followed by the others.
typedef struct AudioChannelLayout {
  AudioChannelLayoutTag mChannelLayoutTag;
  AudioChannelBitmap mChannelBitmap;
  uint32_t mNumberChannelDescriptions;
  AudioChannelDescription mChannelDescriptions[1];
} AudioChannelLayout;

// One of the formats with which the same packets can be decoded.
typedef struct AudioFormatListItem {
  AudioStreamBasicDescription mASBD;
  AudioChannelLayoutTag mChannelLayoutTag;
} AudioFormatListItem;

/// Returns the number of channels of a layout with a tag; 0 for descriptions and bitmaps.
static inline uint32_t AudioChannelLayoutTag_GetNumberOfChannels(AudioChannelLayoutTag inLayoutTag) {
  return inLayoutTag & 0xFFFF;
}
