// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing
internal import ClockService
internal import LinearTimecode
internal import MusicalTime
internal import Realtime

/// Decodes linear timecode in the sound of an input, with its host times.
struct LTCEar {
  private let counting: FrameRate?
  private var listener: LTCListener?
  /// The frame of the input at which the sound of the listener begins.
  private var origin: Int64 = 0
  private var position: Int64 = 0
  private var epoch: UInt32?
  /// The clock of an input that does not have one.
  private var follower: PeriodFollower?
  /// The host time until which the input is not read, in nanoseconds.
  ///
  /// It limits an input without a real-time clock, such as ALSA's null device, to twice real time.
  private(set) var pause: Int64
  private var paced: Int64 = 0

  init(counting: FrameRate?, since now: Int64) {
    (self.counting, pause) = (counting, now)
  }

  /// Reads a period, and passes each decoded frame of timecode to `body`.
  ///
  /// - Throws: The error of the input.
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
    // Lost samples are missing in the sound, so decoding starts again after them.
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

  /// Estimates a clock from the times at which periods were read.
  private mutating func ownClock(_ rate: SampleRate) -> SampleClock? {
    var follower = follower ?? PeriodFollower(nominalRate: rate)
    follower.update(frames: position, at: HostTime(nanoseconds: DeadlineWait.now))
    self.follower = follower
    return SampleClock(follower, delay: 0)
  }
}

extension HeardFrame {
  /// Creates a frame from a reading; nil if its label does not exist, or the frame rate is not
  /// known yet.
  ///
  /// - Parameters:
  ///   - reading: The reading.
  ///   - origin: The frame of the input from which the reading's positions are counted.
  ///   - line: The host times of the input's frames, in units of a position.
  ///   - rate: The sample rate of the input.
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

  /// The frame rate from the length of a frame, while labels do not show it yet; nil if no rate
  /// fits, as at another speed.
  private static func counting(of reading: LTCReading, _ rate: SampleRate) -> FrameRate? {
    guard !reading.frame.isDrop else { return .fps2997Drop }
    let samples = Double(reading.end.units - reading.start.units) / Double(LTCPlace.unitsInSample)
    let framesPerSecond = Double(rate.hertz) / samples
    let rates: [FrameRate] = [.fps24, .fps25, .fps30]
    // 24 and 25 are 4 % apart.
    return rates.first { abs(framesPerSecond / Double($0.nominal) - 1) < 0.015 }
  }
}
