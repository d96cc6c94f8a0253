// SPDX-License-Identifier: Apache-2.0

/// A SysEx message that resets all channels to an initial state.
///
/// Source: General MIDI System Level 1 and 2; Roland GS, MT-32 and Yamaha XG specifications.
public enum SysExReset: Hashable, Sendable, BitwiseCopyable {
  case generalMIDI
  case generalMIDI2
  case gs
  case xg
  case mt32
  /// General MIDI System Off: the device returns to the mode of its maker.
  case off

  /// Recognises a reset from the bytes between F0 and F7; returns nil for other messages.
  public init?(_ bytes: [UInt8]) {
    let reset = unsafe bytes.withUnsafeBufferPointer { bytes in
      unsafe bytes.baseAddress.flatMap { unsafe SysExReset($0, count: bytes.count) }
    }
    guard let reset else { return nil }
    self = reset
  }

  /// The same as `init(_:)`, for the render thread.
  @_noAllocation @_noLocks
  package init?(_ bytes: UnsafePointer<UInt8>, count: Int) {
    guard count >= 4 else { return nil }
    switch unsafe (bytes[0], bytes[2]) {
    case (0x7E, 0x09) where count == 4:
      switch unsafe bytes[3] {
      case 1: self = .generalMIDI
      case 2: self = .off
      case 3: self = .generalMIDI2
      default: return nil
      }
    case (0x41, 0x42) where count == 9:
      guard unsafe Self.isGS(bytes) else { return nil }
      self = unsafe bytes[4] == 0x40 && bytes[7] == 0x7F ? .generalMIDI : .gs
    case (0x41, 0x16) where count >= 8:
      guard unsafe bytes[3] == 0x12, unsafe bytes[4] == 0x7F else { return nil }
      self = .mt32
    case (0x43, 0x4C) where count == 7:
      guard unsafe bytes[3] == 0, unsafe bytes[4] == 0, unsafe bytes[5] | 1 == 0x7F,
        unsafe bytes[6] == 0
      else { return nil }
      self = .xg
    default: return nil
    }
  }

  /// True if nine bytes for a Roland device set a mode: GS reset, its opposite, or the system mode
  /// of later models, which is also a GS reset.
  @_noAllocation @_noLocks
  private static func isGS(_ bytes: UnsafePointer<UInt8>) -> Bool {
    guard unsafe bytes[3] == 0x12, unsafe bytes[5] == 0, unsafe bytes[6] == 0x7F else {
      return false
    }
    var sum = 0
    for index in 4..<9 { sum &+= unsafe Int(bytes[index]) }
    guard sum % 128 == 0 else { return false }
    return switch unsafe (bytes[4], bytes[7]) {
    case (0x40, 0x00), (0x40, 0x7F), (0x00, 0x00...0x01): true
    default: false
    }
  }

  /// The bank mode that the reset selects; nil if the reset restores the initial mode.
  public var bankMode: BankMode? {
    @_noAllocation @_noLocks
    get {
      switch self {
      case .generalMIDI: .gm
      case .generalMIDI2: .gm2
      case .gs: .gs
      case .xg: .xg
      case .mt32, .off: nil
      }
    }
  }
}
