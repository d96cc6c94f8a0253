// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// Echoes: what comes in is heard again after a time, and again, each time quieter and duller.
///
/// An echo lies on a whole frame, exactly the time after what it repeats. A change of the time fades
/// from the old echo to the new in 1024 frames, so that no pitch glides.
///
/// - Note: Control side; the sound is made on the render thread.
public final class DelayUnit: SettableUnit, SavableUnit {
  /// The parameters of a delay.
  public enum Setting: Int, Sendable {
    /// The time to the first echo and from each to the next, to the nearest frame: 1 ms to the
    /// longest; 0.3 s at first, or the longest where that is less.
    case time
    /// How loud an echo is beside the one before, a factor 0…0.98; 0.4 at first.
    case feedback
    /// Above which frequency each echo loses 6 dB an octave, 100…20 000 Hz; 20 000, at first, takes
    /// nothing away.
    case damping
    /// Whether the echoes go from channel to channel: the first is in the first channel, the next in
    /// the second; off at first.
    case pingPong
    /// The share of the echoes in what comes out, 0…1; the rest is what came in. 0.3 at first.
    case mix
    /// Below which frequency each echo loses 6 dB an octave, 20…2000 Hz; 20, at first, takes nothing
    /// away.
    case lowCut
  }

  /// The unit's name, for messages and graphs.
  public let name: String
  /// Frames a second.
  public let rate: SampleRate?
  /// One bus.
  public let inputChannelCounts: [Int]
  /// One bus.
  public var outputChannelCounts: [Int] { inputChannelCounts }
  /// Time, feedback, damping, ping-pong, mix and low-cut.
  public let parameters: ParameterSet
  /// The longest time, in seconds.
  public let longestSeconds: Double
  /// The quarter notes that the time was set to last, for `follow`; nil where it never was.
  public internal(set) var quarterNotes: Double?
  private let kernel: KernelBox<DelayKernel>

  /// Creates a delay.
  ///
  /// - Parameters:
  ///   - name: what it is called in messages.
  ///   - channelCount: the channels of its bus, 1…64.
  ///   - longestSeconds: the longest time that can be set, 0.01…60 s: 4 bytes of memory a frame and
  ///     channel.
  ///   - rate: frames a second.
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
        Parameter("feedback", .factor, 0...0.98, initially: 0.4),
        Parameter("damping", .hertz, 100...20_000, initially: 20_000, rampSeconds: 0.02),
        Parameter("ping-pong", .toggle, 0...1, initially: 0),
        Parameter("mix", .factor, 0...1, initially: 0.3),
        Parameter("low-cut", .hertz, 20...2000, initially: 20, rampSeconds: 0.02),
      ], rate: rate, unit: name)
    kernel = unsafe KernelBox(
      DelayKernel(
        channelCount: channelCount, longest: longestSeconds, rate: rate, bank: parameters.bank),
      DelayKernel.function)
  }

  /// The delay's kernel.
  public var step: RenderStep { kernel.step }

  /// The frames until the echoes are 100 dB down, a minute at most.
  public var tail: Int {
    let feedback = Double(self[.feedback])
    let echoes = feedback < 1e-5 ? 1 : 1 - (5 / SampleMath.log10(feedback)).rounded(.towardZero)
    let second = Double(parameters.rate.hertz)
    let frames = min(60 * second, echoes * (Double(self[.time]) * second).rounded())
    // A fade to another time may still be on its way.
    return Int(frames) + DelayLine.fadeFrames
  }

  /// Sets the time to a number of quarter notes at a tempo, held within the range of the time: 0.75
  /// is a dotted eighth.
  ///
  /// A unit knows no clock; whoever changes the tempo tells it with `follow`, or sets the time anew.
  public func setTime(quarterNotes: Double, at tempo: Tempo) {
    self.quarterNotes = quarterNotes
    follow(tempo)
  }

  /// Sets the time to what its quarter notes last at a tempo; a delay without any keeps its time.
  public func follow(_ tempo: Tempo) {
    if let time = time(at: tempo) { self[.time] = time }
  }

  /// Sets the time to what its quarter notes last at a tempo, from a frame on; from the event thread.
  ///
  /// - Returns: false where there is no room.
  public func follow(_ tempo: Tempo, from frame: SampleTime) -> Bool {
    guard let time = time(at: tempo) else { return true }
    return parameters.schedule(Setting.time.rawValue, to: time, at: frame)
  }

  private func time(at tempo: Tempo) -> Float? {
    quarterNotes.map { Float($0 * Double(tempo.tenNanosecondsPerQuarter) / 1e8) }
  }

  /// The settings from which a saved graph restores it.
  public var setup: UnitSetup? {
    UnitSetup(
      "delay", ["channels": .count(inputChannelCounts[0]), "longest": .number(longestSeconds)])
  }
}
