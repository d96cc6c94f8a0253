// SPDX-License-Identifier: Apache-2.0
public import AudioProcessing
public import MusicalTime
internal import Realtime
internal import Synchronization

/// Sound received from JACK, with a port for each channel, connected to a sound card or another
/// client.
///
/// While the server is unavailable, no sound is received; when it returns, ports are opened and
/// connected again.
///
/// For monitoring, an output of the same client can play the input. The `unit` of the input is then
/// part of the output's plan, and the sound leaves the output's ports after 64 frames plus the
/// latency of the plan. The ports report this latency.
///
/// - Note: One thread at a time.
public final class JACKInput: SoundInput {
  /// The client that owns the ports.
  public let client: JACKClient
  /// The sample rate of the server.
  public let rate: SampleRate
  /// The number of channels, each with a port.
  public let channelCount: Int
  /// The number of frames per cycle when the input was created; the server may change it at any
  /// time.
  public let periodFrames: Int
  /// The unit that supplies the input's sound to the plan of an output, unchanged and a quantum
  /// later; nil if the sound is read by `read()`.
  public var unit: InputUnit? { duty.unit }
  private let duty: InputDuty

  /// The least room for sound that waits to be read, in frames and in cycles.
  private static let room = (frames: 65_536, turns: 8)

  /// Registers and connects the ports.
  ///
  /// - Parameters:
  ///   - client: The client.
  ///   - channelCount: The number of ports, 1…64; 2 by default.
  ///   - label: The beginning of the ports' names. With `in` (the default) the ports are `in_1` and
  ///     so on. Each input of a client needs a different label.
  ///   - target: The ports to connect to; those of the sound card by default.
  ///   - output: An output of the same client whose plan plays `unit`; nil (the default) to read
  ///     the input.
  /// - Throws: `JACKError` if the ports cannot be created or connected.
  public init(
    on client: JACKClient, channelCount: Int = 2, label: String = "in",
    from target: JACKTarget = .physical, playedBy output: JACKOutputUnit? = nil
  ) throws(JACKError) {
    precondition((1...64).contains(channelCount), "an input has 1 to 64 channels")
    precondition(
      output.map { $0.client === client } ?? true, "input and output must belong to the same client"
    )
    self.client = client
    self.channelCount = channelCount
    rate = client.rate
    periodFrames = client.bufferFrames
    do throws(RealtimeError) {
      duty = try InputDuty(
        names: (1...channelCount).map { "\(label)_\($0)" }, target: target, rate: rate,
        capacity: max(Self.room.frames, Self.room.turns * periodFrames), playedBy: output?.duty)
    } catch {
      throw .cannotStart(client.server, reason: error.description)
    }
    try client.add(duty)
  }

  deinit { client.remove(duty) }

  /// The relation of the input's frames to host time; nil before the first cycle.
  ///
  /// The host time of a frame is the time at which its sound was made. Lost frames are not counted,
  /// so the clock restarts after each loss.
  public var clock: SampleClock? { duty.clock.read() }

  /// The input latency: the time in frames from the creation of a sound until it is received, as
  /// the server reports it; 0 before the first cycle.
  ///
  /// If outputs of the same client play all of the sound, directly or through other clients, the
  /// sum of this value and the outputs' `playbackLatency` is exactly the round trip. The value may
  /// then be negative.
  ///
  /// - Note: Any thread.
  public var latency: Int { duty.lateness.load(ordering: .relaxed) }

  /// Returns the frame of an output of the same client that was audible at frame 0 of the input.
  ///
  /// A recording that begins at this frame of the song is aligned with the sound that the musician
  /// played to. After a loss, the frames of the input are counted from 0 again, and the result
  /// changes.
  ///
  /// - Parameter output: The output.
  /// - Returns: The frame; nil until both have had a cycle.
  /// - Note: Any thread.
  public func place(on output: JACKOutputUnit) -> SampleTime? {
    precondition(output.client === client, "input and output must belong to the same client")
    let (here, there) = (duty.origin.frame, output.duty.origin.frame)
    guard here != FramedEvent.unknownOrigin, there != FramedEvent.unknownOrigin else { return nil }
    let late = latency + output.playbackLatency + output.duty.graphLatency
    return SampleTime(frames: here - there - Int64(late))
  }

  /// True while the client waits for a server that has disappeared, or while the server runs at
  /// another sample rate.
  ///
  /// Sound that is read during this time was received earlier.
  ///
  /// - Note: Any thread.
  public var isAway: Bool { duty.isAway.load(ordering: .acquiring) || client.isAtOtherRate }

  /// The number of times that sound was lost by late reads, xruns of the server, or disappearances
  /// of the server.
  public var xrunCount: Int { duty.lostCount.load(ordering: .relaxed) + client.xrunCount }

  /// Returns the next frames as interleaved samples, with full scale at ±1.
  ///
  /// Waits for up to 100 ms.
  ///
  /// - Precondition: The input is not played by an output.
  /// - Returns: Complete frames; empty if none arrived in that time.
  /// - Throws: `JACKError.lost` if the server disappeared and has not returned within the client's
  ///   `patience`.
  public func read() throws(JACKError) -> [Float] {
    precondition(unit == nil, "an input that an output plays cannot be read")
    let reader = duty.samples.reader
    if reader.count == 0 {
      if let failure = client.failure { throw failure }
      _ = duty.news.wait(until: DeadlineWait.now + Self.patience)
    }
    let count = reader.count / channelCount * channelCount
    var samples: [Float] = []
    samples.reserveCapacity(count)
    _ = reader.pop(atMost: count) { samples.append($0) }
    return samples
  }

  /// The longest wait for frames, in nanoseconds.
  private static let patience: Int64 = 100_000_000
}
