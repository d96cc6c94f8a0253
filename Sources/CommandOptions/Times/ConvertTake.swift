// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import CommandKit
internal import LinearTimecode
internal import MusicalTime
internal import PlayerControl

/// The time codes of a sound file, from the linear timecode in it, for `convert --ltc`.
struct ConvertTake {
  /// The exit status after reading the file.
  private(set) var status = ExitStatus.success
  private let sampleRate: SampleRate
  private let offset: Timecode

  /// A frame that was decoded: its number, and its position in units of `LTCPlace`.
  private typealias Frame = (number: Int64, place: Int64)

  /// Reads the file.
  ///
  /// - Parameters:
  ///   - path: The file; `-` is standard input.
  ///   - fps: The frame rate, if it is known; nil to detect it.
  /// - Throws: `Failure` if the file cannot be read or does not contain timecode.
  init(path: String, fps: FrameRate?) throws {
    let reader = try SoundSource(path).open()
    sampleRate = reader.rate
    var listener = LTCListener(
      sampleRate: reader.rate, channelCount: reader.channelCount, counting: fps)
    var readings: [LTCReading] = []
    while true {
      let samples = reader.read(frameCount: 4096)
      guard !samples.isEmpty else { break }
      for start in stride(from: 0, to: samples.count, by: reader.channelCount) {
        listener.take(samples.span.extracting(start..<start + reader.channelCount)) {
          readings.append($0)
        }
      }
    }
    guard let first = readings.first else {
      throw Failure(
        .badData, "--ltc \(path): contains no linear time code (see: downbeat ltc watch)")
    }
    guard !first.isReversed else {
      throw Failure(.badData, "--ltc \(path): its time code runs backwards")
    }
    let counting = fps ?? listener.counting ?? (first.frame.isDrop ? .fps2997Drop : nil)
    guard let counting else {
      throw Failure(
        .badData,
        "--ltc \(path): shorter than 1 s, so its frame rate cannot be found (try --fps 25)")
    }
    let frames: [Frame] = readings.compactMap { reading in
      do {
        return (try counting.frame(of: reading.frame.label), reading.pictureStart.units)
      } catch {
        return nil
      }
    }
    guard !frames.isEmpty else {
      throw FlagText("--fps", counting.name)
        .failure("\(path) contains time codes that do not exist at this rate")
    }
    let rate = fps ?? Self.trueRate(counting, frames, reader.rate)
    let stray = Self.firstStray(in: frames, rate, reader.rate)
    offset = Self.offset(
      Self.evened(frames[..<(stray ?? frames.count)], rate, reader.rate), rate, reader.rate)
    if let stray {
      let seconds =
        Double(frames[stray].place) / Double(LTCPlace.unitsInSample) / Double(sampleRate.hertz)
      Terminal.report(
        "\(path): its time code jumps at \(seconds.decimal(3)) s; times after that are wrong"
          + " (see: downbeat ltc watch)")
      status = .partial
    }
  }

  /// Sets the time codes, their rate and the sample rate of a context.
  func apply(to context: inout TimeContext) {
    context.sampleRate = sampleRate
    context.frameRate = offset.rate
    context.smpteOffset = offset
  }

  /// Distinguishes 29.97 from 30 fps, and 23.976 from 24, by the distances between frames.
  private static func trueRate(
    _ counting: FrameRate, _ frames: [Frame], _ sampleRate: SampleRate
  ) -> FrameRate {
    let slowed: [FrameRate: FrameRate] = [.fps30: .fps2997, .fps24: .fps23976]
    guard let slow = slowed[counting], frames.count > 1 else { return counting }
    func strays(_ rate: FrameRate) -> Double {
      let number = min(frames.count - 1, 1000)
      return abs(distance(from: frames[0], to: frames[number], rate, sampleRate))
    }
    return strays(slow) < strays(counting) ? slow : counting
  }

  /// The distance in samples of a frame from the position that another frame predicts.
  private static func distance(
    from first: Frame, to frame: Frame, _ rate: FrameRate, _ sampleRate: SampleRate
  ) -> Double {
    var count = frame.number - first.number
    // Time codes start again at midnight.
    if count < 0 { count += rate.framesPerDay }
    let due = Double(count) * samplesPerFrame(rate, sampleRate)
    return Double(frame.place - first.place) / Double(LTCPlace.unitsInSample) - due
  }

  /// The first frame, at the position that most of the following frames predict.
  ///
  /// The first edge of a sound rises from silence, so its position is not exact.
  private static func evened(
    _ frames: ArraySlice<Frame>, _ rate: FrameRate, _ sampleRate: SampleRate
  ) -> Frame {
    let first = frames[0]
    let distances = frames.map { distance(from: first, to: $0, rate, sampleRate) }.sorted()
    let units = distances[distances.count / 2] * Double(LTCPlace.unitsInSample)
    return (first.number, first.place + Int64(units.rounded()))
  }

  /// The index of the first frame that is more than half a frame away from the position that the
  /// first frame predicts.
  private static func firstStray(
    in frames: [Frame], _ rate: FrameRate, _ sampleRate: SampleRate
  ) -> Int? {
    let most = samplesPerFrame(rate, sampleRate) / 2
    return frames.firstIndex { abs(distance(from: frames[0], to: $0, rate, sampleRate)) > most }
  }

  private static func samplesPerFrame(_ rate: FrameRate, _ sampleRate: SampleRate) -> Double {
    Double(Int64(sampleRate.hertz) * rate.fpsDenominator) / Double(rate.fpsNumerator)
  }

  /// The time code of the first sample, exact to a sample if a frame has at most 65,535 parts.
  private static func offset(
    _ first: Frame, _ rate: FrameRate, _ sampleRate: SampleRate
  ) -> Timecode {
    let length = Ratio(Int64(sampleRate.hertz) * rate.fpsDenominator, over: rate.fpsNumerator)
    let sample = LTCPlace(units: first.place).nearest.frames
    let base = UInt16(exactly: length.numerator) ?? 10_000
    let frames = Double(sample) / length.approximation
    let count = first.number * Int64(base) - Int64((frames * Double(base)).rounded())
    return Timecode(subframes: count, base: base, rate: rate)
      ?? Timecode(frame: first.number, rate: rate)
  }
}
