// SPDX-License-Identifier: Apache-2.0
internal import CoreAudioHandles
public import CoreAudioTypes
internal import MusicalTime

/// The seconds from the start at which a beat is reached; before 0 at the first tempo.
///
/// - Returns: `noErr`; `ParamError`, for what is no number, too.
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

/// The beat that is reached after so many seconds; before 0 at the first tempo.
///
/// - Returns: `noErr`; `ParamError`, for what is no number, too.
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

/// Bar, beat and part of a beat, rounded down, by the time signatures of the tempo track; 4/4 before
/// the first.
///
/// Bar 1 beat 1 is beat 0; a beat of a bar is what the signature's denominator says, and a signature
/// begins a bar.
///
/// - Returns: `noErr`; `ParamError`, for a divisor of 0 and beats that do not fit, too.
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

/// The beat of a bar, beat and part of a beat.
///
/// - Returns: `noErr`; `ParamError`, for what its bar does not have, too.
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

/// An SMPTE division as a file's header has it: 25 frames of 40 ticks are −6360.
///
/// - Parameters:
///   - fps: Frames a second; its sign does not count.
///   - ticks: Ticks a frame.
/// - Returns: The division, below 0.
public func MusicSequenceSetSMPTEResolution(_ fps: Int8, _ ticks: UInt8) -> Int16 {
  Int16(fps > 0 ? -fps : fps) << 8 + Int16(ticks)
}

/// Frames a second, below 0, and ticks a frame, of which seven bits count, of a file's division.
///
/// - Parameters:
///   - inRes: The division.
///   - fps: Takes the frames a second.
///   - ticks: Takes the ticks a frame.
public func MusicSequenceGetSMPTEResolution(
  _ inRes: Int16, _ fps: UnsafeMutablePointer<Int8>?, _ ticks: UnsafeMutablePointer<UInt8>?
) {
  unsafe fps.put(Int8(truncatingIfNeeded: inRes >> 8))
  unsafe ticks.put(UInt8(truncatingIfNeeded: inRes) & 0x7F)
}

extension Ratio {
  /// Beats to the nearest 28 800 000th: thirds, hundredths and a file's ticks are what was meant.
  init(beats: Double) throws(StatusError) {
    let parts: Int64 = 28_800_000
    guard abs(beats) < 1e10 else { throw .parameter }
    self.init(Int64((beats * Double(parts)).rounded()), over: parts)
  }
}

extension SequenceBox {
  /// The meters of the tempo track; signatures without meaning are left out.
  ///
  /// - Throws: where their places do not fit.
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
  /// The time signature of a meta event that is one.
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
