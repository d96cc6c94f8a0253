// SPDX-License-Identifier: Apache-2.0
public import AudioProcessing
public import MusicalTime
internal import Realtime
internal import Synchronization

/// Sound from a client of JACK: a port for each channel, connected to a card's or another client's.
///
/// While the server is away nothing comes; when it is back the ports are opened and connected again.
///
/// Who is to hear himself has an output of the same client play it: its `unit` is then part of the
/// output's plan, and what comes in leaves by the output's ports 64 frames later, and later by what the
/// plan is. Programs see that as the latency of the ports.
///
/// - Note: One thread at a time.
public final class JACKInput: SoundInput {
  /// The client whose ports it has.
  public let client: JACKClient
  /// The server's rate.
  public let rate: SampleRate
  /// A channel for each port.
  public let channelCount: Int
  /// The frames of one turn when the input was made; a server may take another number at any time.
  public let periodFrames: Int
  /// What gives the sound on to a plan of the output that plays it, a quantum late and bit for bit; nil
  /// where the input is read.
  public var unit: InputUnit? { duty.unit }
  private let duty: InputDuty

  /// Frames that wait for who reads, at least, and as turns.
  private static let room = (frames: 65_536, turns: 8)

  /// Registers and connects the ports.
  ///
  /// - Parameters:
  ///   - client: the client.
  ///   - channelCount: the ports, 1…64.
  ///   - label: what they are called before their number, `in_1` and so on; another input of the same
  ///     client needs another.
  ///   - target: what they are connected to.
  ///   - output: an output of the same client whose plan plays what comes, by `unit`; nil where it is
  ///     read.
  /// - Throws: `JACKError`.
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

  /// Where frames lie in host time, as they were played, counted from the first.
  ///
  /// What was lost is not counted, so that each loss begins it anew. Nil before the first turn.
  public var clock: SampleClock? { duty.clock.read() }

  /// Frames from a sound until it comes in, as the server reports them.
  ///
  /// Where all that comes was played by outputs of the same client, directly or through other clients, it
  /// is what the way takes less the outputs' own `playbackLatency`, and may be below zero: the two make
  /// up the whole way, to the frame. 0 before the first turn.
  ///
  /// - Note: Any thread.
  public var latency: Int { duty.lateness.load(ordering: .relaxed) }

  /// Where the input's frame 0 lies in what an output of the same client plays: the frame that was heard as
  /// that came in.
  ///
  /// What is recorded beside a song is put there, and lies in it as it was heard. Each loss begins the
  /// input's count anew, and with it this.
  ///
  /// - Parameter output: the output.
  /// - Returns: The frame; nil before both have had a turn.
  /// - Note: Any thread.
  public func place(on output: JACKOutputUnit) -> SampleTime? {
    precondition(output.client === client, "input and output must belong to the same client")
    let (here, there) = (duty.origin.frame, output.duty.origin.frame)
    guard here != FramedEvent.unknownOrigin, there != FramedEvent.unknownOrigin else { return nil }
    let late = latency + output.playbackLatency + output.duty.graphLatency
    return SampleTime(frames: here - there - Int64(late))
  }

  /// Whether the server is gone and its return is waited for, or runs at another rate: what is read
  /// then came before, and what comes next is the first of its return.
  ///
  /// - Note: Any thread.
  public var isAway: Bool { duty.isAway.load(ordering: .acquiring) || client.isAtOtherRate }

  /// How often sound was lost: turns that nobody read in time, xruns of the server, and the server
  /// itself.
  public var xrunCount: Int { duty.lostCount.load(ordering: .relaxed) + client.xrunCount }

  /// The next frames, interleaved, full scale at ±1; waits for them up to 100 ms.
  ///
  /// - Precondition: it is not played by an output.
  /// - Returns: whole frames; empty where nothing came in the time.
  /// - Throws: `JACKError.lost` where the server is gone for good.
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

  /// In nanoseconds.
  private static let patience: Int64 = 100_000_000
}
