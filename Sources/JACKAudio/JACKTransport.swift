// SPDX-License-Identifier: Apache-2.0
internal import CJACK
public import ClockService
public import MusicalTime
internal import Realtime
internal import Synchronization

/// The transport of a server, followed by what is played, and led by who plays it.
///
/// Frame 0 is the beginning of the song. What is played says when it is ready for another place, and
/// the server waits for that: what is due there has been sent by then. All commands are for everybody
/// on the server.
///
/// - Note: any thread; not real-time safe.
public final class JACKTransport: Sendable {
  /// The bars of a song, which the server is to show to all.
  public struct Bars: Sendable {
    let tempoMap: TempoMap
    let meterMap: MeterMap
    let takesOver: Bool

    /// Creates bars.
    ///
    /// - Parameters:
    ///   - tempoMap: the song's tempi.
    ///   - meterMap: its meters.
    ///   - takesOver: whether they take the place of bars that somebody else leads.
    public init(tempoMap: TempoMap, meterMap: MeterMap, takesOver: Bool = true) {
      (self.tempoMap, self.meterMap, self.takesOver) = (tempoMap, meterMap, takesOver)
    }
  }

  /// The client.
  public let client: JACKClient
  private let duty: TransportDuty

  /// Takes part in the transport; one for a client.
  ///
  /// - Parameters:
  ///   - client: the client.
  ///   - output: the output that goes with it, of the same client: its time stands while the transport
  ///     waits for all to be ready, and what is due as it starts sounds at that very frame. Nil
  ///     for none: what is played then follows the server's times, a turn late at first.
  ///   - bars: the bars to lead; nil to follow those of others, where there are some.
  /// - Throws: `JACKError`.
  public init(
    of client: JACKClient, with output: JACKOutputUnit? = nil, leading bars: Bars? = nil
  ) throws(JACKError) {
    precondition(
      output.map { $0.client === client } ?? true, "the output must belong to the same client")
    self.client = client
    let rate = client.rate
    duty = TransportDuty(
      rate: rate,
      bars: bars.map { BarTable(tempoMap: $0.tempoMap, meterMap: $0.meterMap, rate: rate) },
      takesOver: bars?.takesOver ?? false, output: output?.duty)
    try client.add(duty)
  }

  deinit { client.remove(duty) }

  /// Whether the bars that all see are ours.
  public var leadsBars: Bool { duty.leadsBars.load(ordering: .relaxed) }

  /// What follows the transport as a clock's master; one for a transport.
  public func follower() -> FrameFollower {
    let duty = duty
    duty.isFollowed.store(true, ordering: .relaxed)
    duty.output?.isLed.store(true, ordering: .relaxed)
    return FrameFollower(duty.frames.reader, keeping: self) { moves in
      duty.acknowledged.store(moves, ordering: .releasing)
    }
  }

  /// Lets everybody roll, once all are ready.
  public func start() {
    _ = client.withHandle { unsafe $0.table.pointee.transport_start($0.client) }
  }

  /// Lets everybody stop.
  public func stop() {
    _ = client.withHandle { unsafe $0.table.pointee.transport_stop($0.client) }
  }

  /// Sends everybody to a time of the song, to its nearest frame.
  ///
  /// - Parameter seconds: from its beginning; below 0 is 0, past what JACK counts is its last frame.
  public func locate(to seconds: Ratio) {
    let frame: Int64
    do throws(TimeError) {
      frame = try (seconds * Ratio(Int64(client.rate.hertz))).rounded(.nearest, unit: "frames")
        .value
    } catch {
      frame = .max
    }
    let place = UInt32(clamping: frame)
    _ = client.withHandle { unsafe $0.table.pointee.transport_locate($0.client, place) }
  }
}
