// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// Delay: repeats the sound after a time, again and again, each time quieter and duller.
///
/// Each echo is a whole number of frames after the sound that it repeats. If the time changes, the
/// echo at the old time fades into the echo at the new time in 1024 frames, so the pitch does not
/// glide.
///
/// - Note: Use the unit on one thread at a time; the render thread processes the sound.
public final class DelayUnit: SettableUnit, SavableUnit {
  /// The parameters of a delay.
  public enum Setting: Int, Sendable {
    /// Time from the sound to the first echo, and between echoes: 1 ms to `longestSeconds`, rounded
    /// to a frame; default 0.3 s, or `longestSeconds` if that is less.
    case time
    /// Gain of each echo relative to the previous one, a factor −0.98…0.98; default 0.4.
    ///
    /// Negative values invert each second echo.
    case feedback
    /// Cutoff of the low-pass in the feedback, 10…20 000 Hz, 6 dB per octave; default 20 000 Hz,
    /// which is off.
    case damping
    /// Switch: if on (1), the echoes move from channel to channel, beginning with the first
    /// channel.
    ///
    /// Default off.
    case pingPong
    /// Share of the echoes in the output, 0…1; the rest is the dry sound.
    ///
    /// Default 0.3.
    case mix
    /// Cutoff of the high-pass in the feedback, 20…2000 Hz, 6 dB per octave; default 20 Hz, which
    /// is off.
    case lowCut
  }

  /// The unit's name, for messages and graphs.
  public let name: String
  /// The sample rate.
  public let rate: SampleRate?
  /// The channel count of each input: the unit has one input bus.
  public let inputChannelCounts: [Int]
  /// The channel count of each output: one bus, with as many channels as the input.
  public var outputChannelCounts: [Int] { inputChannelCounts }
  /// The parameters: time, feedback, damping, ping-pong, mix and low-cut.
  public let parameters: ParameterSet
  /// The longest time that can be set, in seconds.
  public let longestSeconds: Double
  /// The note value of the time in quarter notes, which `follow` uses; nil if the time was not set
  /// as a note value.
  public internal(set) var quarterNotes: Double?
  private let kernel: KernelBox<DelayKernel>

  /// Creates a delay.
  ///
  /// - Parameters:
  ///   - name: the unit's name, for messages and graphs.
  ///   - channelCount: the number of channels, 1…64.
  ///   - longestSeconds: the longest time that can be set, 0.01…60 s. The delay needs 4 bytes of
  ///     memory for each frame of this time and each channel.
  ///   - rate: the sample rate.
  public init(
    name: String = "delay", channelCount: Int = 2, longestSeconds: Double = 2, rate: SampleRate
  ) {
    precondition((1...64).contains(channelCount), "a delay has 1 to 64 channels")
    precondition((0.01...60).contains(longestSeconds), "a delay lasts 0.01 to 60 s")
    self.name = name
    self.rate = rate
    self.longestSeconds = longestSeconds
    inputChannelCounts = [channelCount]
    let longest = Float(longestSeconds)
    parameters = ParameterSet(
      [
        Parameter("time", .seconds, 0.001...longest, initially: min(0.3, longest), rampSeconds: 0),
        Parameter("feedback", .factor, -0.98...0.98, initially: 0.4),
        Parameter("damping", .hertz, 10...20_000, initially: 20_000, rampSeconds: 0.02),
        Parameter("ping-pong", .toggle, 0...1, initially: 0),
        Parameter("mix", .factor, 0...1, initially: 0.3),
        Parameter("low-cut", .hertz, 20...2000, initially: 20, rampSeconds: 0.02),
      ], rate: rate, unit: name)
    kernel = unsafe KernelBox(
      DelayKernel(
        channelCount: channelCount, longest: longestSeconds, rate: rate, bank: parameters.bank),
      DelayKernel.function)
  }

  /// The unit's kernel, with the function that renders one quantum.
  public var step: RenderStep { kernel.step }

  /// The number of frames until the echoes have decayed by 100 dB, at most one minute.
  public var tail: Int {
    let feedback = Double(abs(self[.feedback]))
    let echoes = feedback < 1e-5 ? 1 : 1 - (5 / SampleMath.log10(feedback)).rounded(.towardZero)
    let second = Double(parameters.rate.hertz)
    let frames = min(60 * second, echoes * (Double(self[.time]) * second).rounded())
    // A fade to another time may still be in progress.
    return Int(frames) + DelayLine.fadeFrames
  }

  /// Sets the time to a number of quarter notes at a tempo, such as 0.75 for a dotted eighth note.
  ///
  /// The time is limited to its range. The unit does not know the tempo of the song: when the tempo
  /// changes, call `follow`, or set the time again.
  public func setTime(quarterNotes: Double, at tempo: Tempo) {
    self.quarterNotes = quarterNotes
    follow(tempo)
  }

  /// Sets the time for the current note value at a new tempo.
  ///
  /// If the time was not set as a note value, it does not change.
  public func follow(_ tempo: Tempo) {
    if let time = time(at: tempo) { self[.time] = time }
  }

  /// Sets the time for the current note value at a new tempo, from a frame on.
  ///
  /// Call it on the event thread.
  ///
  /// - Returns: false if the queue of parameter changes is full.
  public func follow(_ tempo: Tempo, from frame: SampleTime) -> Bool {
    guard let time = time(at: tempo) else { return true }
    return parameters.schedule(Setting.time.rawValue, to: time, at: frame)
  }

  private func time(at tempo: Tempo) -> Float? {
    quarterNotes.map { Float($0 * Double(tempo.tenNanosecondsPerQuarter) / 1e8) }
  }

  /// The settings from which a saved graph restores the unit.
  public var setup: UnitSetup? {
    UnitSetup(
      "delay", ["channels": .count(inputChannelCounts[0]), "longest": .number(longestSeconds)])
  }
}
