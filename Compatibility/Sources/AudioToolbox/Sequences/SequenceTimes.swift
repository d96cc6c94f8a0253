// SPDX-License-Identifier: Apache-2.0
internal import CoreAudioHandles
public import CoreAudioTypes
internal import MusicalTime

/// Converts beats to seconds from the start; before beat 0, at the first tempo.
///
/// - Returns: 0; `kAudio_ParamError` if an argument is invalid or not finite.
/// - Note: Any thread.
@discardableResult
public func MusicSequenceGetSecondsForBeats(
  _ inSequence: MusicSequence?, _ inBeats: MusicTimeStamp,
  _ outSeconds: UnsafeMutablePointer<Float64>?
) -> OSStatus {
  status { () throws(StatusError) in
    let map = unsafe try object(inSequence, SequenceBox.self).beatMap()
    guard inBeats.isFinite else { throw .parameter }
    unsafe try given(outSeconds).pointee = map.seconds(atBeat: inBeats)
  }
}

/// Converts seconds from the start to beats; before 0, at the first tempo.
///
/// - Returns: 0; `kAudio_ParamError` if an argument is invalid or not finite.
/// - Note: Any thread.
@discardableResult
public func MusicSequenceGetBeatsForSeconds(
  _ inSequence: MusicSequence?, _ inSeconds: Float64,
  _ outBeats: UnsafeMutablePointer<MusicTimeStamp>?
) -> OSStatus {
  status { () throws(StatusError) in
    let map = unsafe try object(inSequence, SequenceBox.self).beatMap()
    guard inSeconds.isFinite else { throw .parameter }
    unsafe try given(outBeats).pointee = map.beat(atSeconds: inSeconds)
  }
}

/// Converts beats to bar, beat and subbeat, rounded down.
///
/// Time signatures are those of the tempo track; 4/4 applies before the first. Beat 0 is bar 1,
/// beat 1. A beat of a bar is the note in the denominator of the time signature. A time signature
/// begins a bar.
///
/// - Returns: 0; `kAudio_ParamError` if an argument is invalid, the divisor is 0 or the position is
///   out of range.
/// - Note: Any thread.
@discardableResult
public func MusicSequenceBeatsToBarBeatTime(
  _ inSequence: MusicSequence?, _ inBeats: MusicTimeStamp, _ inSubbeatDivisor: UInt32,
  _ outBarBeatTime: UnsafeMutablePointer<CABarBeatTime>?
) -> OSStatus {
  status { () throws(StatusError) in
    let meters = unsafe try object(inSequence, SequenceBox.self).meterMap()
    let out = unsafe try given(outBarBeatTime)
    let divisor = UInt16(truncatingIfNeeded: inSubbeatDivisor)
    guard divisor > 0 else { throw .parameter }
    do {
      let label = try meters.barBeat(
        at: Ratio(beats: inBeats), divisor: divisor, rounding: .floor
      ).value
      unsafe out.pointee = CABarBeatTime(
        bar: label.bar, beat: label.beat, subbeat: label.subbeat, subbeatDivisor: label.divisor,
        reserved: 0)
    } catch {
      throw .parameter
    }
  }
}

/// Converts bar, beat and subbeat to beats.
///
/// - Returns: 0; `kAudio_ParamError` if an argument is invalid or the bar does not have the beat or
///   subbeat.
/// - Note: Any thread.
@discardableResult
public func MusicSequenceBarBeatTimeToBeats(
  _ inSequence: MusicSequence?, _ inBarBeatTime: UnsafePointer<CABarBeatTime>?,
  _ outBeats: UnsafeMutablePointer<MusicTimeStamp>?
) -> OSStatus {
  status { () throws(StatusError) in
    let meters = unsafe try object(inSequence, SequenceBox.self).meterMap()
    let time = unsafe try given(inBarBeatTime).pointee
    let out = unsafe try given(outBeats)
    do {
      let label = BarBeat(
        bar: time.bar, beat: time.beat, subbeat: time.subbeat,
        divisor: max(time.subbeatDivisor, 1))
      unsafe out.pointee = try meters.quarters(at: label).approximation
    } catch {
      throw .parameter
    }
  }
}

/// Returns an SMPTE division in the form of a MIDI file's header: 25 frames with 40 ticks are
/// −6360.
///
/// - Parameters:
///   - fps: frames per second; its sign is ignored.
///   - ticks: ticks per frame.
/// - Returns: the division, below 0.
public func MusicSequenceSetSMPTEResolution(_ fps: Int8, _ ticks: UInt8) -> Int16 {
  Int16(fps > 0 ? -fps : fps) << 8 + Int16(ticks)
}

/// Returns the parts of an SMPTE division.
///
/// - Parameters:
///   - inRes: the division.
///   - fps: receives the frames per second, as a negative number.
///   - ticks: receives the lowest seven bits of the ticks per frame.
public func MusicSequenceGetSMPTEResolution(
  _ inRes: Int16, _ fps: UnsafeMutablePointer<Int8>?, _ ticks: UnsafeMutablePointer<UInt8>?
) {
  unsafe fps.put(Int8(truncatingIfNeeded: inRes >> 8))
  unsafe ticks.put(UInt8(truncatingIfNeeded: inRes) & 0x7F)
}

extension Ratio {
  /// Rounds beats to 1/28,800,000, so that thirds, hundredths and a file's ticks are exact.
  init(beats: Double) throws(StatusError) {
    let parts: Int64 = 28_800_000
    guard abs(beats) < 1e10 else { throw .parameter }
    self.init(Int64((beats * Double(parts)).rounded()), over: parts)
  }
}

extension SequenceBox {
  /// The meters of the tempo track; invalid time signatures are left out.
  ///
  /// - Throws: `ParamError` if a position is out of range.
  func meterMap() throws(StatusError) -> MeterMap {
    var changes: [MeterChange] = []
    for event in try tempoTrack.content().events.all {
      guard let signature = event.timeSignature else { continue }
      changes.append(MeterChange(position: try Ratio(beats: event.time), signature: signature))
    }
    do {
      return try MeterMap(changes: changes)
    } catch {
      throw .parameter
    }
  }
}

extension BeatEvent {
  /// The time signature, if the event is a meta event with a valid one.
  fileprivate var timeSignature: TimeSignature? {
    let bytes = metaBytes(0x58)
    guard bytes.count >= 2, bytes[0] > 0, bytes[1] < 16 else { return nil }
    do {
      return try TimeSignature(numerator: Int(bytes[0]), denominator: 1 << Int(bytes[1]))
    } catch {
      return nil
    }
  }
}
