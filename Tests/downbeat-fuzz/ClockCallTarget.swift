// SPDX-License-Identifier: Apache-2.0
import AVFoundation
import TestSupport

/// The functions of CoreAudioClock.h, called in any order with any handles, times and properties.
@safe struct ClockCallTarget: FuzzTarget {
  private var clocks: [CAClockRef?] = unsafe [nil]
  private var (done, refused) = (0, 0)

  private static let numbers: [Double] = [
    0, -0.0, 0.25, 1, -1, 25, 32, 120, 60_000, 86_400, 1e9, 1e13, -1e13, 1e19, -1e19, 1e300, .nan,
    .infinity, -.infinity, .greatestFiniteMagnitude, .leastNonzeroMagnitude,
  ]
  private static let formats: [CAClockTimeFormat] = [
    .hostTime, .samples, .beats, .seconds, .smpteSeconds, .smpteTime, .absoluteSeconds,
  ]
  /// All but the name, which is an object.
  private static let properties: [CAClockPropertyID] = [
    .internalTimebase, .timebaseSource, .syncMode, .syncSource, .smpteFormat, .smpteOffset,
    .midiClockDestinations, .mtcDestinations, .mtcFreewheelTime, .tempoMap, .meterTrack,
    .sendMIDISPP,
  ]
  private static let codes: Set<OSStatus> = Set(-66816...(-66805)).union([0, -50, -108])

  var tally: String { "\(done) done, \(refused) refused" }

  mutating func attack(_ random: inout SplitMix) throws {
    for _ in 0..<8 {
      let status = call(&random)
      if status == noErr { done += 1 } else { refused += 1 }
      try FuzzFault.unless(Self.codes.contains(status), "status \(status)")
    }
  }

  private func number(_ random: inout SplitMix) -> Double {
    Int.random(in: 0..<4, using: &random) > 0
      ? Double(Int.random(in: 0..<512, using: &random)) / 4
      : Self.numbers.randomElement(using: &random) ?? 0
  }

  private func any(_ random: inout SplitMix) -> CAClockRef? {
    switch Int.random(in: 0..<40, using: &random) {
    case 0: return unsafe OpaquePointer(bitPattern: UInt(truncatingIfNeeded: random.next()))
    // Often one that is gone, or none.
    case 1..<6: return unsafe clocks.randomElement(using: &random) ?? nil
    default: return unsafe clocks.last ?? nil
    }
  }

  private func time(_ random: inout SplitMix) -> CAClockTime {
    var time = CAClockTime()
    time.format = Self.formats.randomElement(using: &random) ?? .beats
    switch time.format {
    case .hostTime: unsafe time.time.hostTime = random.next()
    case .smpteTime: unsafe time.time.smpte = label(&random)
    default: unsafe time.time.seconds = number(&random)
    }
    return time
  }

  private func label(_ random: inout SplitMix) -> SMPTETime {
    var label = SMPTETime()
    let isWild = Int.random(in: 0..<4, using: &random) == 0
    func part(_ end: Int16) -> Int16 {
      isWild
        ? Int16(truncatingIfNeeded: random.next()) : Int16.random(in: -1...end, using: &random)
    }
    label.mHours = part(24)
    label.mMinutes = part(60)
    label.mSeconds = part(60)
    label.mFrames = part(30)
    label.mSubframes = part(100)
    label.mSubframeDivisor = part(100)
    label.mType = SMPTETimeType(rawValue: UInt32.random(in: 0...12, using: &random)) ?? .type25
    return label
  }

  private mutating func call(_ random: inout SplitMix) -> OSStatus {
    switch Int.random(in: 0..<1000, using: &random) {
    case 0..<2: return make(&random)
    case 2..<400: return ask(&random)
    case 400..<800: return property(&random)
    case 800..<990: return move(&random)
    // It takes threads.
    case 990..<992: return unsafe CAClockStart(any(&random))
    default: return unsafe CAClockStop(any(&random))
    }
  }

  private mutating func make(_ random: inout SplitMix) -> OSStatus {
    unsafe clocks.append(nil)
    while unsafe clocks.count > 4 { unsafe CAClockDispose(clocks.removeFirst()) }
    // It stays among those that are called.
    if Bool.random(using: &random) { unsafe CAClockDispose(clocks[0]) }
    return unsafe CAClockNew(
      UInt32.random(in: 0...1, using: &random), &clocks[clocks.count - 1])
  }

  private func move(_ random: inout SplitMix) -> OSStatus {
    let clock = unsafe any(&random)
    var (time, number) = (time(&random), number(&random))
    switch Int.random(in: 0..<10, using: &random) {
    case 0...2: return unsafe CAClockSetCurrentTime(clock, &time)
    case 3: return unsafe CAClockSetPlayRate(clock, number)
    case 4: return unsafe CAClockSetCurrentTempo(clock, number, &time)
    case 5: return unsafe CAClockSetCurrentTempo(clock, number, nil)
    case 6: return unsafe CAClockArm(clock)
    case 7: return unsafe CAClockDisarm(clock)
    case 8: return unsafe CAClockGetCurrentTempo(clock, &number, &time)
    default: return unsafe parse(clock, &random)
    }
  }

  private func ask(_ random: inout SplitMix) -> OSStatus {
    let clock = unsafe any(&random)
    var (time, other, number) = (time(&random), CAClockTime(), number(&random))
    let format = Self.formats.randomElement(using: &random) ?? .beats
    let divisor = UInt16(
      truncatingIfNeeded: random.next() >> UInt64.random(in: 0..<64, using: &random))
    var label = label(&random)
    var bar = CABarBeatTime(
      bar: Int32(truncatingIfNeeded: random.next() >> UInt64.random(in: 0..<64, using: &random)),
      beat: UInt16.random(in: 0...5, using: &random), subbeat: divisor / 2,
      subbeatDivisor: divisor, reserved: 0)
    switch Int.random(in: 0..<8, using: &random) {
    case 0: return unsafe CAClockGetCurrentTime(clock, format, &time)
    case 1: return unsafe CAClockGetStartTime(clock, format, &time)
    case 2: return unsafe CAClockTranslateTime(clock, &time, format, &other)
    case 3: return unsafe CAClockSecondsToSMPTETime(clock, number, divisor, &label)
    case 4: return unsafe CAClockSMPTETimeToSeconds(clock, &label, &number)
    case 5: return unsafe CAClockBeatsToBarBeatTime(clock, number, divisor, &bar)
    case 6: return unsafe CAClockBarBeatTimeToBeats(clock, &bar, &number)
    default: return unsafe CAClockGetPlayRate(clock, &number)
    }
  }

  /// Properties in memory of just their length.
  private func property(_ random: inout SplitMix) -> OSStatus {
    let clock = unsafe any(&random)
    guard let property = Self.properties.randomElement(using: &random) else { return noErr }
    var bytes = value(of: property, &random)
    if Int.random(in: 0..<8, using: &random) == 0 { bytes.removeLast() }
    var size = UInt32(bytes.count)
    var isWritable: DarwinBoolean = false
    return unsafe bytes.withUnsafeMutableBytes { bytes in
      switch Int.random(in: 0..<4, using: &random) {
      case 0: unsafe CAClockGetPropertyInfo(clock, property, &size, &isWritable)
      case 1: unsafe CAClockGetProperty(clock, property, &size, bytes.baseAddress)
      default: unsafe CAClockSetProperty(clock, property, size, bytes.baseAddress)
      }
    }
  }

  private func value(of property: CAClockPropertyID, _ random: inout SplitMix) -> [UInt8] {
    switch property {
    case .smpteOffset, .mtcFreewheelTime: return Self.bytes([number(&random)])
    case .tempoMap:
      return Self.bytes(
        (0...Int.random(in: 0..<4, using: &random)).map { _ in
          CATempoMapEntry(beats: number(&random), tempoBPM: number(&random))
        })
    case .meterTrack:
      return Self.bytes(
        (0...Int.random(in: 0..<4, using: &random)).map { _ in
          CAMeterTrackEntry(
            beats: number(&random), meterNumer: UInt16.random(in: 0...9, using: &random),
            meterDenom: UInt16.random(in: 0...9, using: &random))
        })
    case .syncMode:
      let modes: [CAClockSyncMode] = [.internal, .midiClockTransport, .mtcTransport]
      return Self.bytes([modes.randomElement(using: &random)?.rawValue ?? 0])
    default: return Self.bytes([UInt32.random(in: 0...12, using: &random)])
    }
  }

  private static func bytes<Value: BitwiseCopyable>(_ values: [Value]) -> [UInt8] {
    unsafe values.withUnsafeBytes { unsafe [UInt8]($0) }
  }

  /// Clocks, places and quarter frames, now or at any time.
  @unsafe
  private func parse(_ clock: CAClockRef?, _ random: inout SplitMix) -> OSStatus {
    var list = MIDIPacketList()
    let packet = unsafe MIDIPacketListInit(&list)
    let status =
      ([0xF8, 0xF8, 0xFA, 0xFB, 0xFC, 0xF2, 0xF1, 0xF0] as [UInt8])
      .randomElement(using: &random) ?? 0xF8
    let bytes = [status] + (0..<2).map { _ in UInt8.random(in: 0...127, using: &random) }
    let time = Bool.random(using: &random) ? mach_absolute_time() : random.next()
    _ = unsafe MIDIPacketListAdd(
      &list, MemoryLayout<MIDIPacketList>.size, packet, time, status >= 0xF8 ? 1 : 3, bytes)
    return unsafe CAClockParseMIDI(clock, &list)
  }
}
