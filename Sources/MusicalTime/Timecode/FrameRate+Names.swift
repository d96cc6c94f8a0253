// SPDX-License-Identifier: Apache-2.0

extension FrameRate: CaseIterable, CustomStringConvertible {
  /// All 23 rates, in ascending order.
  public static let allCases: [FrameRate] = [
    .fps23976, .fps24, .fps2498, .fps25, .fps2997, .fps2997Drop, .fps30, .fps30Drop, .fps47952,
    .fps48, .fps50, .fps5994, .fps5994Drop, .fps60, .fps60Drop, .fps90, .fps95904, .fps96,
    .fps100, .fps11988, .fps11988Drop, .fps120, .fps120Drop,
  ]

  /// The short name of the rate, such as `25`, `29.97`, or `29.97d` for drop-frame.
  public var name: String {
    let number = isSlowed ? slowedName : "\(nominal)"
    return isDrop ? number + "d" : number
  }

  /// The short name of the rate.
  public var description: String { name }

  private var slowedName: String {
    switch nominal {
    case 24: "23.976"
    case 25: "24.98"
    case 30: "29.97"
    case 48: "47.952"
    case 60: "59.94"
    case 96: "95.904"
    default: "119.88"
    }
  }

  /// All names, for an error message; drop-frame rates have the spelling of the help, `29.97df`.
  static var listOfNames: String {
    allCases.map { $0.name.hasSuffix("d") ? "\($0.name)f" : $0.name }.joined(separator: " ")
  }
}

extension FrameRate {
  /// The code of the rate in MIDI time code: 0 for 24, 1 for 25, 2 for 30 drop-frame, 3 for 30.
  ///
  /// The code describes how labels are counted, not the speed of frames: 23.976 and 24 have the
  /// same code, as have 24.98 and 25, and 29.97 and 30. At rates above 30, frame numbers are
  /// divided by `mtcFrameDivisor`.
  ///
  /// Source: MIDI Time Code (RP-004/RP-008).
  public var mtcCode: MTCCode {
    switch nominal {
    case 24, 48, 96: .fps24
    case 25, 50, 100: .fps25
    default: isDrop ? .fps30Drop : .fps30
    }
  }

  /// The number of frames of this rate for each frame of its MIDI time code, 1…4.
  public var mtcFrameDivisor: Int64 {
    switch nominal {
    case 24, 25, 30: 1
    case 48, 50, 60: 2
    case 90: 3
    default: 4
    }
  }

  /// Creates the nominal rate of a MIDI time code: 24, 25, 29.97 drop-frame or 30.
  ///
  /// Code 2 is the NTSC rate: 30 drop-frame as a code means 30000/1001 frames per second.
  ///
  /// Source: MIDI Time Code (RP-004/RP-008); the SMPTE offset of a MIDI file has the same codes.
  public init(mtcCode: MTCCode) {
    switch mtcCode {
    case .fps24: self = .fps24
    case .fps25: self = .fps25
    case .fps30Drop: self = .fps2997Drop
    case .fps30: self = .fps30
    }
  }

  /// The value of Core Audio's `SMPTETimeType` for the rate, or nil if that type does not contain
  /// the rate.
  public var coreAudioType: UInt32? {
    let types: [FrameRate: UInt32] = [
      .fps24: 0, .fps25: 1, .fps30Drop: 2, .fps30: 3, .fps2997: 4, .fps2997Drop: 5, .fps60: 6,
      .fps5994: 7, .fps60Drop: 8, .fps5994Drop: 9, .fps50: 10, .fps23976: 11,
    ]
    return types[self]
  }

  /// The rate in the most significant byte of a MIDI file's division, or nil if the format does not
  /// support it.
  ///
  /// −29 is 30000/1001 frames per second with drop-frame labels.
  ///
  /// Source: Standard MIDI Files 1.0 (RP-001), header chunk.
  public var smfDivisionByte: Int8? {
    switch self {
    case .fps24: -24
    case .fps25: -25
    case .fps2997Drop: -29
    case .fps30: -30
    default: nil
    }
  }
}
