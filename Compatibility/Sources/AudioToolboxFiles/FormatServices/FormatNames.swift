// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import CCoreAudio

/// The names of formats and channels for people.
enum FormatNames {
  /// The name of a format, such as `Linear PCM, 16 bit little-endian signed integer`.
  static func name(of description: AudioStreamBasicDescription) -> String {
    guard description.mFormatID == kAudioFormatLinearPCM else {
      return formats[description.mFormatID] ?? description.codec.description
    }
    guard description.mBitsPerChannel > 0 else { return "Linear PCM" }
    let flags = description.mFormatFlags
    let order =
      description.mBitsPerChannel <= 8
      ? "" : flags & kAudioFormatFlagIsBigEndian == 0 ? "little-endian " : "big-endian "
    let numbers =
      flags & kAudioFormatFlagIsFloat != 0
      ? "floating point"
      : flags & kAudioFormatFlagIsSignedInteger != 0 ? "signed integer" : "unsigned integer"
    let layout = flags & kAudioFormatFlagIsNonInterleaved == 0 ? "" : ", deinterleaved"
    return "Linear PCM, \(description.mBitsPerChannel) bit \(order)\(numbers)\(layout)"
  }

  private static let formats: [AudioFormatID: String] = [
    kAudioFormatMPEG4AAC: "MPEG-4 AAC", kAudioFormatMPEG4AAC_HE: "MPEG-4 HE AAC",
    kAudioFormatMPEG4AAC_HE_V2: "MPEG-4 HE AAC v2",
    kAudioFormatAppleLossless: "Apple Lossless", kAudioFormatAppleIMA4: "IMA 4:1",
    kAudioFormatMPEGLayer1: "MPEG Layer 1", kAudioFormatMPEGLayer2: "MPEG Layer 2",
    kAudioFormatMPEGLayer3: "MPEG Layer 3", kAudioFormatULaw: "μLaw 2:1",
    kAudioFormatALaw: "aLaw 2:1", kAudioFormatAC3: "AC-3", kAudioFormatEnhancedAC3: "Enhanced AC-3",
    kAudioFormatFLAC: "FLAC", kAudioFormatOpus: "Opus", kAudioFormatiLBC: "iLBC",
    kAudioFormatAMR: "AMR Narrow Band", kAudioFormatAMR_WB: "AMR Wide Band",
    kAudioFormatMicrosoftGSM: "GSM 6.10",
  ]

  /// The name of a layout: `Stereo`, `5.1`, or the channels' short names.
  static func name(_ labels: ChannelLabels) -> String {
    switch labels.labels.count {
    case 1: return "Mono"
    case 2 where labels.tag == kAudioChannelLayoutTag_Stereo: return "Stereo"
    default:
      let name = labels.layout.name
      if name.first?.isNumber == true { return name }
      return labels.labels.map(shortName).joined(separator: " ")
    }
  }

  /// The name of a channel.
  static func name(_ label: AudioChannelLabel) -> String { channels[label]?.0 ?? number(label) }

  /// The short name of a channel.
  static func shortName(_ label: AudioChannelLabel) -> String {
    channels[label]?.1 ?? number(label)
  }

  private static func number(_ label: AudioChannelLabel) -> String {
    label >> 16 == 1 ? "Discrete \(label & 0xFFFF)" : "Unknown"
  }

  private static let channels: [AudioChannelLabel: (String, String)] = [
    kAudioChannelLabel_Left: ("Left", "L"), kAudioChannelLabel_Right: ("Right", "R"),
    kAudioChannelLabel_Center: ("Center", "C"), kAudioChannelLabel_LFEScreen: ("LFE Screen", "LFE"),
    kAudioChannelLabel_LeftSurround: ("Left Surround", "Ls"),
    kAudioChannelLabel_RightSurround: ("Right Surround", "Rs"),
    kAudioChannelLabel_LeftCenter: ("Left Center", "Lc"),
    kAudioChannelLabel_RightCenter: ("Right Center", "Rc"),
    kAudioChannelLabel_CenterSurround: ("Center Surround", "Cs"),
    kAudioChannelLabel_LeftSurroundDirect: ("Left Surround Direct", "Lsd"),
    kAudioChannelLabel_RightSurroundDirect: ("Right Surround Direct", "Rsd"),
    kAudioChannelLabel_RearSurroundLeft: ("Rear Surround Left", "Rls"),
    kAudioChannelLabel_RearSurroundRight: ("Rear Surround Right", "Rrs"),
    kAudioChannelLabel_TopCenterSurround: ("Top Center Surround", "Ts"),
    kAudioChannelLabel_VerticalHeightLeft: ("Vertical Height Left", "Vhl"),
    kAudioChannelLabel_VerticalHeightCenter: ("Vertical Height Center", "Vhc"),
    kAudioChannelLabel_VerticalHeightRight: ("Vertical Height Right", "Vhr"),
    kAudioChannelLabel_TopBackLeft: ("Top Back Left", "Tbl"),
    kAudioChannelLabel_TopBackCenter: ("Top Back Center", "Tbc"),
    kAudioChannelLabel_TopBackRight: ("Top Back Right", "Tbr"),
    kAudioChannelLabel_LeftWide: ("Left Wide", "Lw"),
    kAudioChannelLabel_RightWide: ("Right Wide", "Rw"), kAudioChannelLabel_Mono: ("Mono", "M"),
    kAudioChannelLabel_Ambisonic_W: ("Ambisonic W", "W"),
    kAudioChannelLabel_Ambisonic_X: ("Ambisonic X", "X"),
    kAudioChannelLabel_Ambisonic_Y: ("Ambisonic Y", "Y"),
    kAudioChannelLabel_Ambisonic_Z: ("Ambisonic Z", "Z"),
  ]
}
