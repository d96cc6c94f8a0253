// SPDX-License-Identifier: Apache-2.0
internal import MIDIMessages
internal import SoundFontVoices

/// A SysEx message to a sound module.
///
/// Neither FluidSynth nor Downbeat's own voices read SysEx themselves.
///
/// Sources: MIDI 1.0 Universal SysEx (CA-19…CA-24, MIDI Tuning Standard), General MIDI 1 and 2,
/// Roland MT-32 and SC-88Pro, Yamaha MU80 owner's manuals.
enum SynthOrder: BitwiseCopyable {
  /// A request for a reply, or a damaged message; FluidSynth would allocate memory for it.
  case nothing
  /// Resets the module.
  ///
  /// The bank mode is that of the reset; nil for the module's own mode.
  case reset(BankMode?)
  /// Reset the reverb or the chorus.
  ///
  /// Downbeat's player sends these when a song returns to a position before it changed them.
  case initialReverb
  case initialChorus
  /// Resets the module to an MT-32.
  case resetMT32
  /// Parameters of reverb and chorus: `count` bytes from `offset`, for addresses from `low`.
  ///
  /// In GS they are 40 01 30…40, in XG 02 01 00…35.
  case system(isXG: Bool, low: Int, offset: Int, count: Int)
  /// Parameters of GM2's reverb: `count` pairs of parameter and value from `offset`.
  case globalReverb(offset: Int, count: Int)
  /// Parameters of GM2's chorus: `count` pairs of parameter and value from `offset`.
  case globalChorus(offset: Int, count: Int)
  /// Parameters of a part at GS addresses 40 gx ll, from ll: `count` bytes from `offset`.
  case gsPart(channel: Int, group: Int, low: Int, offset: Int, count: Int)
  /// Parameters of a part at XG addresses 08 pp ll, from ll.
  case xgPart(channel: Int, low: Int, offset: Int, count: Int)
  /// One parameter of drum notes at GS addresses 41 mx rr, from key rr.
  case gsNotes(map: Int, kind: Int, key: Int, offset: Int, count: Int)
  /// Parameters of a drum note at XG addresses 3n rr ll, from ll.
  case xgNotes(map: Int, key: Int, low: Int, offset: Int, count: Int)
  /// Resets the drum notes of a map.
  case forgetNotes(map: Int)
  /// Pairs of a destination and its depth for a source (GM2).
  ///
  /// `controller` is used if the source is a controller.
  case destinations(channel: Int, ControlSource, controller: UInt8, offset: Int, count: Int)
  /// Pairs of a controller and its value for one key (GM2).
  case keyControls(channel: Int, key: Int, offset: Int, count: Int)
  /// The master volume, 0…1, before the square law.
  case masterVolume(Float)
  /// The master balance, −1…1.
  case masterBalance(Float)
  /// Fine tuning of all melodic channels, in cents.
  case masterTuning(Float)
  /// Coarse tuning of all melodic channels, in semitones.
  case masterShift(Int)
  /// The tuning of the twelve pitch classes on the channels of a mask (bit 0 is the first): twelve
  /// numbers of one or two bytes from `offset`.
  case scale(channels: UInt16, offset: Int, bytesEach: Int)
  /// Tunings of single keys of a tuning program: `count` entries of four bytes from `offset`.
  ///
  /// Real-time tunings also apply to sounding notes.
  case keys(program: Int, offset: Int, count: Int, isRealTime: Bool)
  /// Tunings of all 128 keys of a tuning program: three bytes each from `offset`.
  case allKeys(program: Int, offset: Int)
  /// Parameters of delay, equaliser, insertion or variation effects: `count` bytes from `offset`,
  /// for addresses from 40 0h and `low` in GS, and from 0h and `low` in XG.
  ///
  /// `number` is the index of XG's insertion effect, 0…3.
  case effects(isXG: Bool, high: Int, number: Int, low: Int, offset: Int, count: Int)
}

extension SynthOrder {
  /// Parses a message without its F0 and F7; nil if it does not have an effect.
  @_noAllocation @_noLocks
  init?(_ bytes: UnsafePointer<UInt8>, count: Int) {
    guard count >= 4 else { return nil }
    if let reset = unsafe SysExReset(bytes, count: count) {
      self = Self.order(reset)
      return
    }
    let order: SynthOrder? =
      switch unsafe bytes[0] {
      case 0x7E, 0x7F: unsafe Self.universal(bytes, count)
      case 0x41: unsafe Self.roland(bytes, count)
      case 0x43: unsafe Self.yamaha(bytes, count)
      case 0x7D: unsafe Self.own(bytes, count)
      default: nil
      }
    guard let order else { return nil }
    self = order
  }

  @_noAllocation @_noLocks
  private static func order(_ reset: SysExReset) -> SynthOrder {
    if case .mt32 = reset { return .resetMT32 }
    return .reset(reset.bankMode)
  }

  /// Downbeat's own messages, with the manufacturer number for non-commercial use: `DB`, then the
  /// effect or drum map.
  @_noAllocation @_noLocks
  private static func own(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> SynthOrder {
    guard unsafe bytes[1] == 0x44, unsafe bytes[2] == 0x42 else { return .nothing }
    switch unsafe bytes[3] {
    case 1: return .initialReverb
    case 2: return .initialChorus
    case 3 where count >= 5: return unsafe .forgetNotes(map: Int(bytes[4]))
    default: return .nothing
    }
  }

  @_noAllocation @_noLocks
  private static func universal(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> SynthOrder? {
    let isRealTime = unsafe bytes[0] == 0x7F
    switch unsafe (bytes[2], bytes[3]) {
    case (0x09, let kind) where isRealTime: return unsafe destinations(kind, bytes, count)
    case (0x0A, 1) where isRealTime && count >= 8:
      return unsafe .keyControls(
        channel: Int(bytes[4] & 0x0F), key: Int(bytes[5] & 0x7F), offset: 6,
        count: (count &- 6) / 2)
    case (0x04, 1) where isRealTime && count >= 6:
      return unsafe .masterVolume(Float(wide(bytes + 4)) / 16383)
    case (0x04, 2) where isRealTime && count >= 6:
      return unsafe .masterBalance(max(-1, Float(wide(bytes + 4) &- 8192) / 8191))
    case (0x04, 3) where isRealTime && count >= 6:
      return unsafe .masterTuning(Float(wide(bytes + 4) &- 8192) * 100 / 8192)
    case (0x04, 4) where isRealTime && count >= 6:
      return unsafe .masterShift(Int(bytes[5]) &- 64)
    case (0x04, 5) where isRealTime: return unsafe global(bytes, count)
    case (0x08, let kind): return unsafe tuning(kind, bytes, count)
    default: return nil
    }
  }

  /// GM2's parameters of reverb and chorus: one slot, and one byte for each parameter and value.
  @_noAllocation @_noLocks
  private static func global(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> SynthOrder? {
    guard count >= 11 else { return nil }
    for index in 4..<8 where unsafe bytes[index] != 1 { return nil }
    switch unsafe bytes[8] {
    case 1: return .globalReverb(offset: 9, count: (count &- 9) / 2)
    case 2: return .globalChorus(offset: 9, count: (count &- 9) / 2)
    default: return nil
    }
  }

  /// GM2's depths of channel pressure, key pressure and a controller.
  @_noAllocation @_noLocks
  private static func destinations(
    _ kind: UInt8, _ bytes: UnsafePointer<UInt8>, _ count: Int
  ) -> SynthOrder? {
    guard count >= 7 else { return nil }
    let channel = unsafe Int(bytes[4] & 0x0F)
    switch kind {
    case 1, 2:
      return .destinations(
        channel: channel, kind == 1 ? .pressure : .keyPressure, controller: 0, offset: 5,
        count: (count &- 5) / 2)
    case 3 where count >= 8:
      let controller = unsafe bytes[5] & 0x7F
      return .destinations(
        channel: channel, controller == 1 ? .modulation : .first, controller: controller,
        offset: 6, count: (count &- 6) / 2)
    default: return nil
    }
  }

  /// MIDI Tuning Standard.
  @_noAllocation @_noLocks
  private static func tuning(
    _ kind: UInt8, _ bytes: UnsafePointer<UInt8>, _ count: Int
  ) -> SynthOrder {
    switch kind {
    case 1 where count >= 405: return unsafe .allKeys(program: Int(bytes[4]), offset: 21)
    case 2 where count >= 6:
      let entries = unsafe Int(bytes[5])
      guard count >= 6 &+ 4 &* entries else { return .nothing }
      return unsafe .keys(
        program: Int(bytes[4]), offset: 6, count: entries, isRealTime: bytes[0] == 0x7F)
    case 4 where count >= 406: return unsafe .allKeys(program: Int(bytes[5]), offset: 22)
    case 7 where count >= 7:
      let entries = unsafe Int(bytes[6])
      guard count >= 7 &+ 4 &* entries else { return .nothing }
      return unsafe .keys(
        program: Int(bytes[5]), offset: 7, count: entries, isRealTime: bytes[0] == 0x7F)
    case 8 where count >= 19:
      return unsafe .scale(channels: channels(bytes + 4), offset: 7, bytesEach: 1)
    case 9 where count >= 31:
      return unsafe .scale(channels: channels(bytes + 4), offset: 7, bytesEach: 2)
    default: return .nothing
    }
  }

  /// GS.
  @_noAllocation @_noLocks
  private static func roland(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> SynthOrder? {
    guard count >= 9, unsafe bytes[2] == 0x42, unsafe bytes[3] == 0x12,
      unsafe isIntact(bytes, count)
    else { return nil }
    let value = unsafe Int(bytes[7])
    switch unsafe (bytes[4], bytes[5], bytes[6]) {
    case (0x40, 0, 0) where count >= 12:
      return unsafe .masterTuning(Float(nibbles(bytes + 7) &- 0x400) / 10)
    case (0x40, 0, 4): return .masterVolume(Float(value) / 127)
    case (0x40, 0, 5): return .masterShift(value &- 64)
    case (0x40, 0, 6): return .masterBalance(EffectValue.pan(value))
    case (0x40, 1, 0x30...0x40):
      return unsafe .system(isXG: false, low: Int(bytes[6]), offset: 7, count: count &- 8)
    case (0x40, 1, 0x50...0x5A), (0x40, 2, 0...3), (0x40, 3, 0...0x1F):
      return unsafe .effects(
        isXG: false, high: Int(bytes[5]), number: 0, low: Int(bytes[6]), offset: 7,
        count: count &- 8)
    default: break
    }
    let (group, low) = unsafe (Int(bytes[5] >> 4), Int(bytes[6] & 0x7F))
    switch unsafe (bytes[4], group) {
    case (0x40, 1), (0x40, 2), (0x40, 4):
      return unsafe .gsPart(
        channel: channel(ofPart: Int(bytes[5] & 0x0F)), group: group, low: low, offset: 7,
        count: count &- 8)
    case (0x41, 0...1):
      return unsafe .gsNotes(
        map: group, kind: Int(bytes[5] & 0x0F), key: low, offset: 7, count: count &- 8)
    default: return nil
    }
  }

  /// XG.
  @_noAllocation @_noLocks
  private static func yamaha(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> SynthOrder? {
    guard count >= 7, unsafe bytes[2] == 0x4C else { return nil }
    let value = unsafe Int(bytes[6])
    switch unsafe (bytes[3], bytes[4], bytes[5]) {
    case (0, 0, 0) where count >= 10:
      return unsafe .masterTuning(Float(nibbles(bytes + 6) &- 0x400) / 10)
    case (0, 0, 4): return .masterVolume(Float(value) / 127)
    case (0, 0, 6): return .masterShift(value &- 64)
    case (2, 1, 0x00...0x35):
      return unsafe .system(isXG: true, low: Int(bytes[5]), offset: 6, count: count &- 6)
    case (0, 0, 0x7D): return .forgetNotes(map: value)
    case (2, 1, 0x40...0x75), (3, 0...3, 0...0x43):
      return unsafe .effects(
        isXG: true, high: Int(bytes[3]), number: bytes[3] == 3 ? Int(bytes[4]) : 0,
        low: Int(bytes[5]), offset: 6, count: count &- 6)
    case (8, let part, let low) where part < 16:
      return .xgPart(channel: Int(part), low: Int(low & 0x7F), offset: 6, count: count &- 6)
    case (0x30...0x33, let key, let low):
      return unsafe .xgNotes(
        map: Int(bytes[3] & 3), key: Int(key & 0x7F), low: Int(low & 0x7F), offset: 6,
        count: count &- 6)
    default: return nil
    }
  }

  /// Two bytes of seven bits, the lower first.
  @_noAllocation @_noLocks
  private static func wide(_ bytes: UnsafePointer<UInt8>) -> Int {
    unsafe Int(bytes[0]) | Int(bytes[1]) << 7
  }

  /// Four bytes of four bits, the highest first.
  @_noAllocation @_noLocks
  private static func nibbles(_ bytes: UnsafePointer<UInt8>) -> Int {
    unsafe Int(bytes[0] & 15) << 12 | Int(bytes[1] & 15) << 8 | Int(bytes[2] & 15) << 4
      | Int(bytes[3] & 15)
  }

  /// Sixteen bits of channels out of three bytes, the highest first.
  @_noAllocation @_noLocks
  private static func channels(_ bytes: UnsafePointer<UInt8>) -> UInt16 {
    unsafe UInt16(bytes[0] & 3) << 14 | UInt16(bytes[1]) << 7 | UInt16(bytes[2])
  }

  /// Part 0 of GS is channel 10, parts 1…9 are channels 1…9, the others their own.
  @_noAllocation @_noLocks
  private static func channel(ofPart part: Int) -> Int {
    part == 0 ? 9 : part <= 9 ? part &- 1 : part
  }

  /// True if Roland's checksum of address and data is right.
  @_noAllocation @_noLocks
  private static func isIntact(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Bool {
    var sum = 0
    for index in 4..<count { sum &+= unsafe Int(bytes[index]) }
    return sum & 0x7F == 0
  }
}
