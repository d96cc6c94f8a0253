// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing
internal import ClockService
internal import LinearTimecode
internal import MusicalTime
internal import Realtime

/// Hears linear timecode in an input's sound, and when by the host's clock it was.
struct LTCEar {
  private let counting: FrameRate?
  private var listener: LTCListener?
  /// The frame of the input with which what the listener hears begins.
  private var origin: Int64 = 0
  private var position: Int64 = 0
  private var epoch: UInt32?
  /// The clock of an input that has none.
  private var follower: PeriodFollower?
  /// Until when an input is left alone that gave two seconds of sound in less than one: it has no
  /// pace of its own, as ALSA's null has none.
  private(set) var pause: Int64
  private var paced: Int64 = 0

  init(counting: FrameRate?, since now: Int64) {
    (self.counting, pause) = (counting, now)
  }

  /// Reads a period, and gives each frame of timecode that is told to `body`.
  ///
  /// - Throws: What the input does.
  mutating func hear(_ input: any SoundInput, _ body: (HeardFrame) -> Void) throws {
    let samples = try input.read()
    guard !samples.isEmpty else { return }
    let first = position
    position += Int64(samples.count / input.channelCount)
    if position - paced >= 2 * Int64(input.rate.hertz) {
      paced = position
      pause = max(pause + 1_000_000_000, DeadlineWait.now)
    }
    guard let clock = input.clock ?? ownClock(input.rate) else { return }
    // What was lost before is missing in the sound: what comes after it begins anew.
    if listener == nil || clock.epoch != epoch {
      (epoch, origin) = (clock.epoch, first)
      listener = LTCListener(
        sampleRate: input.rate, channelCount: input.channelCount, counting: counting)
    }
    let line = clock.timeline.rescaled(
      to: SampleTime.self, multiplier: LTCPlace.unitsInSample, over: 1)
    for start in stride(from: 0, to: samples.count, by: input.channelCount) {
      let frame = samples.span.extracting(start..<start + input.channelCount)
      listener?.take(frame) { reading in
        if let heard = HeardFrame(reading, since: origin, on: line, input.rate) { body(heard) }
      }
    }
  }

  /// By the times at which periods were read.
  private mutating func ownClock(_ rate: SampleRate) -> SampleClock? {
    var follower = follower ?? PeriodFollower(nominalRate: rate)
    follower.update(frames: position, at: HostTime(nanoseconds: DeadlineWait.now))
    self.follower = follower
    return SampleClock(follower, delay: 0)
  }
}

extension HeardFrame {
  /// A frame that was read; nil where its label does not exist, or nobody knows yet how labels
  /// count.
  ///
  /// - Parameters:
  ///   - reading: what was read.
  ///   - origin: the input's frame from which its places count.
  ///   - line: where the input's frames lie, in units of a place.
  ///   - rate: the input's frames a second.
  init?(
    _ reading: LTCReading, since origin: Int64, on line: Timeline<SampleTime, HostTime>,
    _ rate: SampleRate
  ) {
    guard let counting = reading.counting ?? Self.counting(of: reading, rate) else { return nil }
    let unit = LTCPlace.unitsInSample
    do {
      self.init(
        frame: try counting.frame(of: reading.frame.label), code: counting.mtcCode,
        from: line.timeRoundedUp(atCount: reading.start.units + unit * origin),
        to: line.timeRoundedUp(atCount: reading.end.units + unit * origin),
        isReversed: reading.isReversed)
    } catch {
      return nil
    }
  }

  /// How labels count by how long a frame is, before they have told; nil where it fits none: at
  /// another speed it says nothing.
  private static func counting(of reading: LTCReading, _ rate: SampleRate) -> FrameRate? {
    guard !reading.frame.isDrop else { return .fps2997Drop }
    let samples = Double(reading.end.units - reading.start.units) / Double(LTCPlace.unitsInSample)
    let framesPerSecond = Double(rate.hertz) / samples
    let rates: [FrameRate] = [.fps24, .fps25, .fps30]
    // 24 and 25 are 4 % apart.
    return rates.first { abs(framesPerSecond / Double($0.nominal) - 1) < 0.015 }
  }
}
