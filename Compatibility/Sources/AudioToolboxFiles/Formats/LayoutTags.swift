// SPDX-License-Identifier: Apache-2.0
package import CCoreAudio

/// The channel orders that have a tag.
///
/// Source: the comments of Apple's header CoreAudioBaseTypes.h. Orders of "TMH 10.2" are left out.
package enum LayoutTags {
  /// The labels of a tag's channels; nil if the tag does not name them.
  ///
  /// - Parameter tag: a tag; of discrete or unknown channels too.
  /// - Returns: the labels in the order of the samples.
  package static func labels(_ tag: AudioChannelLayoutTag) -> [AudioChannelLabel]? {
    let count = AudioChannelLayoutTag_GetNumberOfChannels(tag)
    switch tag & 0xFFFF_0000 {
    case kAudioChannelLayoutTag_DiscreteInOrder:
      return (0..<count).map { kAudioChannelLabel_Discrete_0 | $0 }
    case kAudioChannelLayoutTag_HOA_ACN_SN3D, kAudioChannelLayoutTag_HOA_ACN_N3D:
      return (0..<count).map { kAudioChannelLabel_HOA_ACN_0 | $0 }
    case kAudioChannelLayoutTag_Unknown:
      return Array(repeating: kAudioChannelLabel_Unknown, count: Int(count))
    default: return byTag[tag]
    }
  }

  /// The first tag of a channel order; nil if no tag has it.
  ///
  /// - Parameter labels: the labels of the channels.
  /// - Returns: the tag.
  package static func tag(_ labels: [AudioChannelLabel]) -> AudioChannelLayoutTag? {
    if let tag = byLabels[labels] { return tag }
    let count = UInt32(labels.count)
    if labels == (0..<count).map({ kAudioChannelLabel_Discrete_0 | $0 }) {
      return kAudioChannelLayoutTag_DiscreteInOrder | count
    }
    return labels.allSatisfy { $0 == kAudioChannelLabel_Unknown }
      ? kAudioChannelLayoutTag_Unknown | count : nil
  }

  /// The tags of a number of channels, in the order of their numbers.
  package static func tags(channelCount: Int) -> [AudioChannelLayoutTag] {
    orders.map(\.0).filter { Int(AudioChannelLayoutTag_GetNumberOfChannels($0)) == channelCount }
      .sorted()
  }

  private static let byTag = Dictionary(
    orders.map { ($0.0, labels($0.1)) }, uniquingKeysWith: { first, _ in first })
  private static let byLabels = Dictionary(
    orders.map { (labels($0.1), $0.0) }, uniquingKeysWith: { first, _ in first })

  private static func labels(_ words: String) -> [AudioChannelLabel] {
    words.split(separator: " ").map { names[String($0)] ?? kAudioChannelLabel_Unknown }
  }

  private static let names: [String: AudioChannelLabel] = [
    "M": kAudioChannelLabel_Mono, "L": kAudioChannelLabel_Left, "R": kAudioChannelLabel_Right,
    "C": kAudioChannelLabel_Center, "LFE": kAudioChannelLabel_LFEScreen,
    "Ls": kAudioChannelLabel_LeftSurround, "Rs": kAudioChannelLabel_RightSurround,
    "Cs": kAudioChannelLabel_CenterSurround, "Rls": kAudioChannelLabel_RearSurroundLeft,
    "Rrs": kAudioChannelLabel_RearSurroundRight, "Lc": kAudioChannelLabel_LeftCenter,
    "Rc": kAudioChannelLabel_RightCenter, "Lw": kAudioChannelLabel_LeftWide,
    "Rw": kAudioChannelLabel_RightWide, "Lsd": kAudioChannelLabel_LeftSurroundDirect,
    "Rsd": kAudioChannelLabel_RightSurroundDirect, "Vhl": kAudioChannelLabel_VerticalHeightLeft,
    "Vhc": kAudioChannelLabel_VerticalHeightCenter,
    "Vhr": kAudioChannelLabel_VerticalHeightRight, "Ts": kAudioChannelLabel_TopCenterSurround,
    "Ltr": kAudioChannelLabel_LeftTopRear, "Rtr": kAudioChannelLabel_RightTopRear,
    "Ltm": kAudioChannelLabel_LeftTopMiddle, "Rtm": kAudioChannelLabel_RightTopMiddle,
    "Lt": kAudioChannelLabel_LeftTotal, "Rt": kAudioChannelLabel_RightTotal,
    "W": kAudioChannelLabel_Ambisonic_W, "X": kAudioChannelLabel_Ambisonic_X,
    "Y": kAudioChannelLabel_Ambisonic_Y, "Z": kAudioChannelLabel_Ambisonic_Z,
    "Hl": kAudioChannelLabel_HeadphonesLeft, "Hr": kAudioChannelLabel_HeadphonesRight,
    "Mid": kAudioChannelLabel_MS_Mid, "Side": kAudioChannelLabel_MS_Side,
    "XyX": kAudioChannelLabel_XY_X, "XyY": kAudioChannelLabel_XY_Y,
    "Bl": kAudioChannelLabel_BinauralLeft, "Br": kAudioChannelLabel_BinauralRight,
  ]

  private static let orders: [(AudioChannelLayoutTag, String)] = [
    (kAudioChannelLayoutTag_Mono, "M"),
    (kAudioChannelLayoutTag_Stereo, "L R"),
    (kAudioChannelLayoutTag_StereoHeadphones, "Hl Hr"),
    (kAudioChannelLayoutTag_MatrixStereo, "Lt Rt"),
    (kAudioChannelLayoutTag_MidSide, "Mid Side"),
    (kAudioChannelLayoutTag_XY, "XyX XyY"),
    (kAudioChannelLayoutTag_Binaural, "Bl Br"),
    (kAudioChannelLayoutTag_Ambisonic_B_Format, "W X Y Z"),
    (kAudioChannelLayoutTag_Quadraphonic, "L R Ls Rs"),
    (kAudioChannelLayoutTag_Pentagonal, "L R Ls Rs C"),
    (kAudioChannelLayoutTag_Hexagonal, "L R Ls Rs C Cs"),
    (kAudioChannelLayoutTag_Octagonal, "L R Ls Rs C Cs Lw Rw"),
    (kAudioChannelLayoutTag_Cube, "L R Rls Rrs Vhl Vhr Ltr Rtr"),
    (kAudioChannelLayoutTag_MPEG_3_0_A, "L R C"),
    (kAudioChannelLayoutTag_MPEG_3_0_B, "C L R"),
    (kAudioChannelLayoutTag_MPEG_4_0_A, "L R C Cs"),
    (kAudioChannelLayoutTag_MPEG_4_0_B, "C L R Cs"),
    (kAudioChannelLayoutTag_MPEG_5_0_A, "L R C Ls Rs"),
    (kAudioChannelLayoutTag_MPEG_5_0_B, "L R Ls Rs C"),
    (kAudioChannelLayoutTag_MPEG_5_0_C, "L C R Ls Rs"),
    (kAudioChannelLayoutTag_MPEG_5_0_D, "C L R Ls Rs"),
    (kAudioChannelLayoutTag_MPEG_5_1_A, "L R C LFE Ls Rs"),
    (kAudioChannelLayoutTag_MPEG_5_1_B, "L R Ls Rs C LFE"),
    (kAudioChannelLayoutTag_MPEG_5_1_C, "L C R Ls Rs LFE"),
    (kAudioChannelLayoutTag_MPEG_5_1_D, "C L R Ls Rs LFE"),
    (kAudioChannelLayoutTag_MPEG_6_1_A, "L R C LFE Ls Rs Cs"),
    (kAudioChannelLayoutTag_MPEG_7_1_A, "L R C LFE Ls Rs Lc Rc"),
    (kAudioChannelLayoutTag_MPEG_7_1_B, "C Lc Rc L R Ls Rs LFE"),
    (kAudioChannelLayoutTag_MPEG_7_1_C, "L R C LFE Ls Rs Rls Rrs"),
    (kAudioChannelLayoutTag_Emagic_Default_7_1, "L R Ls Rs C LFE Lc Rc"),
    (kAudioChannelLayoutTag_SMPTE_DTV, "L R C LFE Ls Rs Lt Rt"),
    (kAudioChannelLayoutTag_ITU_2_1, "L R Cs"),
    (kAudioChannelLayoutTag_ITU_2_2, "L R Ls Rs"),
    (kAudioChannelLayoutTag_DVD_4, "L R LFE"),
    (kAudioChannelLayoutTag_DVD_5, "L R LFE Cs"),
    (kAudioChannelLayoutTag_DVD_6, "L R LFE Ls Rs"),
    (kAudioChannelLayoutTag_DVD_10, "L R C LFE"),
    (kAudioChannelLayoutTag_DVD_11, "L R C LFE Cs"),
    (kAudioChannelLayoutTag_DVD_18, "L R Ls Rs LFE"),
    (kAudioChannelLayoutTag_AudioUnit_6_0, "L R Ls Rs C Cs"),
    (kAudioChannelLayoutTag_AudioUnit_7_0, "L R Ls Rs C Rls Rrs"),
    (kAudioChannelLayoutTag_AudioUnit_7_0_Front, "L R Ls Rs C Lc Rc"),
    (kAudioChannelLayoutTag_AAC_6_0, "C L R Ls Rs Cs"),
    (kAudioChannelLayoutTag_AAC_6_1, "C L R Ls Rs Cs LFE"),
    (kAudioChannelLayoutTag_AAC_7_0, "C L R Ls Rs Rls Rrs"),
    (kAudioChannelLayoutTag_AAC_7_1_B, "C L R Ls Rs Rls Rrs LFE"),
    (kAudioChannelLayoutTag_AAC_7_1_C, "C L R Ls Rs LFE Vhl Vhr"),
    (kAudioChannelLayoutTag_AAC_Octagonal, "C L R Ls Rs Rls Rrs Cs"),
    (kAudioChannelLayoutTag_AC3_1_0_1, "C LFE"),
    (kAudioChannelLayoutTag_AC3_3_0, "L C R"),
    (kAudioChannelLayoutTag_AC3_3_1, "L C R Cs"),
    (kAudioChannelLayoutTag_AC3_3_0_1, "L C R LFE"),
    (kAudioChannelLayoutTag_AC3_2_1_1, "L R Cs LFE"),
    (kAudioChannelLayoutTag_AC3_3_1_1, "L C R Cs LFE"),
    (kAudioChannelLayoutTag_EAC_6_0_A, "L C R Ls Rs Cs"),
    (kAudioChannelLayoutTag_EAC_7_0_A, "L C R Ls Rs Rls Rrs"),
    (kAudioChannelLayoutTag_EAC3_6_1_A, "L C R Ls Rs LFE Cs"),
    (kAudioChannelLayoutTag_EAC3_6_1_B, "L C R Ls Rs LFE Ts"),
    (kAudioChannelLayoutTag_EAC3_6_1_C, "L C R Ls Rs LFE Vhc"),
    (kAudioChannelLayoutTag_EAC3_7_1_A, "L C R Ls Rs LFE Rls Rrs"),
    (kAudioChannelLayoutTag_EAC3_7_1_B, "L C R Ls Rs LFE Lc Rc"),
    (kAudioChannelLayoutTag_EAC3_7_1_C, "L C R Ls Rs LFE Lsd Rsd"),
    (kAudioChannelLayoutTag_EAC3_7_1_D, "L C R Ls Rs LFE Lw Rw"),
    (kAudioChannelLayoutTag_EAC3_7_1_E, "L C R Ls Rs LFE Vhl Vhr"),
    (kAudioChannelLayoutTag_EAC3_7_1_F, "L C R Ls Rs LFE Cs Ts"),
    (kAudioChannelLayoutTag_EAC3_7_1_G, "L C R Ls Rs LFE Cs Vhc"),
    (kAudioChannelLayoutTag_EAC3_7_1_H, "L C R Ls Rs LFE Ts Vhc"),
    (kAudioChannelLayoutTag_DTS_3_1, "C L R LFE"),
    (kAudioChannelLayoutTag_DTS_4_1, "C L R Cs LFE"),
    (kAudioChannelLayoutTag_DTS_6_0_A, "Lc Rc L R Ls Rs"),
    (kAudioChannelLayoutTag_DTS_6_0_B, "C L R Rls Rrs Ts"),
    (kAudioChannelLayoutTag_DTS_6_0_C, "C Cs L R Rls Rrs"),
    (kAudioChannelLayoutTag_DTS_6_1_A, "Lc Rc L R Ls Rs LFE"),
    (kAudioChannelLayoutTag_DTS_6_1_B, "C L R Rls Rrs Ts LFE"),
    (kAudioChannelLayoutTag_DTS_6_1_C, "C Cs L R Rls Rrs LFE"),
    (kAudioChannelLayoutTag_DTS_7_0, "Lc C Rc L R Ls Rs"),
    (kAudioChannelLayoutTag_DTS_7_1, "Lc C Rc L R Ls Rs LFE"),
    (kAudioChannelLayoutTag_DTS_8_0_A, "Lc Rc L R Ls Rs Rls Rrs"),
    (kAudioChannelLayoutTag_DTS_8_0_B, "Lc C Rc L R Ls Cs Rs"),
    (kAudioChannelLayoutTag_DTS_8_1_A, "Lc Rc L R Ls Rs Rls Rrs LFE"),
    (kAudioChannelLayoutTag_DTS_8_1_B, "Lc C Rc L R Ls Cs Rs LFE"),
    (kAudioChannelLayoutTag_DTS_6_1_D, "C L R Ls Rs LFE Cs"),
    (kAudioChannelLayoutTag_WAVE_4_0_B, "L R Rls Rrs"),
    (kAudioChannelLayoutTag_WAVE_5_0_B, "L R C Rls Rrs"),
    (kAudioChannelLayoutTag_WAVE_5_1_B, "L R C LFE Rls Rrs"),
    (kAudioChannelLayoutTag_WAVE_6_1, "L R C LFE Cs Ls Rs"),
    (kAudioChannelLayoutTag_WAVE_7_1, "L R C LFE Rls Rrs Ls Rs"),
    (kAudioChannelLayoutTag_Atmos_7_1_4, "L R C LFE Ls Rs Rls Rrs Vhl Vhr Ltr Rtr"),
    (kAudioChannelLayoutTag_Atmos_9_1_6, "L R C LFE Ls Rs Rls Rrs Lw Rw Vhl Vhr Ltm Rtm Ltr Rtr"),
    (kAudioChannelLayoutTag_Atmos_5_1_2, "L R C LFE Ls Rs Ltm Rtm"),
  ]
}
