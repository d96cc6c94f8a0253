// SPDX-License-Identifier: Apache-2.0
internal import CJACK
public import ClockService
public import MusicalTime
internal import Realtime
internal import Synchronization

/// The transport of a server, which a song can follow and control.
///
/// Frame 0 is the start of the song. After a locate, the server waits until the song has sent the
/// events of the new position. Commands apply to all clients of the server.
///
/// - Note: Any thread; not real-time safe.
public final class JACKTransport: Sendable {
  /// The bars of a song, for display by all clients of the server.
  public struct Bars: Sendable {
    let tempoMap: TempoMap
    let meterMap: MeterMap
    let takesOver: Bool

    /// Creates bars.
    ///
    /// - Parameters:
    ///   - tempoMap: The tempo map of the song.
    ///   - meterMap: The meter map of the song.
    ///   - takesOver: True (the default) to replace another client as the timebase.
    public init(tempoMap: TempoMap, meterMap: MeterMap, takesOver: Bool = true) {
      (self.tempoMap, self.meterMap, self.takesOver) = (tempoMap, meterMap, takesOver)
    }
  }

  /// The client of the transport.
  public let client: JACKClient
  private let duty: TransportDuty

  /// Joins the transport; one for each client.
  ///
  /// - Parameters:
  ///   - client: The client.
  ///   - output: An output of the same client that goes with the transport: its time pauses while
  ///     the transport waits for its clients, and events at the start position sound at the exact
  ///     frame of the start. With nil (the default) the song follows the server's times, a cycle
  ///     late at first.
  ///   - bars: The bars of which the client is the timebase; nil (the default) to follow another
  ///     client's, if there are any.
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

  /// True if the client is the timebase of the server.
  public var leadsBars: Bool { duty.leadsBars.load(ordering: .relaxed) }

  /// Returns a follower with which a clock follows the transport; one for each transport.
  public func follower() -> FrameFollower {
    let duty = duty
    duty.isFollowed.store(true, ordering: .relaxed)
    duty.output?.isLed.store(true, ordering: .relaxed)
    return FrameFollower(duty.frames.reader, keeping: self) { moves in
      duty.acknowledged.store(moves, ordering: .releasing)
    }
  }

  /// Starts all clients, once they are ready.
  public func start() {
    _ = client.withHandle { unsafe $0.table.pointee.transport_start($0.client) }
  }

  /// Stops all clients.
  public func stop() {
    _ = client.withHandle { unsafe $0.table.pointee.transport_stop($0.client) }
  }

  /// Moves all clients to a time of the song, to the nearest frame.
  ///
  /// - Parameter seconds: The time from the start, limited to 0 and JACK's last frame.
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
