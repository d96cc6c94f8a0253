// SPDX-License-Identifier: Apache-2.0
internal import CJACK
public import ClockService
public import MusicalTime
internal import Realtime
internal import Synchronization

/// The transport of a JACK server, which a song can follow and control.
///
/// Frame 0 is the start of the song. After a locate, the server waits until the song has sent the
/// events of the new position. Commands apply to all clients of the server.
///
/// - Note: Any thread; not real-time safe.
public final class JACKTransport: Sendable {
  /// The bars of a song, which all clients of the server can display.
  public struct Bars: Sendable {
    let tempoMap: TempoMap
    let meterMap: MeterMap
    let takesOver: Bool

    /// Creates the bars of a song.
    ///
    /// - Parameters:
    ///   - tempoMap: The tempo map of the song.
    ///   - meterMap: The meter map of the song.
    ///   - takesOver: True (the default) to replace another client as the timebase.
    public init(tempoMap: TempoMap, meterMap: MeterMap, takesOver: Bool = true) {
      (self.tempoMap, self.meterMap, self.takesOver) = (tempoMap, meterMap, takesOver)
    }
  }

  /// The client through which the transport is used.
  public let client: JACKClient
  private let duty: TransportDuty

  /// Joins the server's transport.
  ///
  /// Create only one for each client.
  ///
  /// - Parameters:
  ///   - client: The client.
  ///   - output: An output of the same client that plays the song. The time of that output then
  ///     pauses while the transport waits for clients, and events at the start position sound at
  ///     the exact frame of the start. If nil (the default), the song follows the server's times,
  ///     and starts a cycle late.
  ///   - bars: The bars that the client provides to the server as its timebase. If nil (the
  ///     default), the bars of another timebase are followed, if one exists.
  /// - Throws: `JACKError` if the server refuses.
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

  /// True if the client is the timebase, which provides bars and beats to the server.
  public var leadsBars: Bool { duty.leadsBars.load(ordering: .relaxed) }

  /// Returns a follower with which a clock follows the transport; create only one for each
  /// transport.
  public func follower() -> FrameFollower {
    let duty = duty
    duty.isFollowed.store(true, ordering: .relaxed)
    duty.output?.isLed.store(true, ordering: .relaxed)
    return FrameFollower(duty.frames.reader, keeping: self) { moves in
      duty.acknowledged.store(moves, ordering: .releasing)
    }
  }

  /// Starts the transport of all clients, as soon as they are ready.
  public func start() {
    _ = client.withHandle { unsafe $0.table.pointee.transport_start($0.client) }
  }

  /// Stops the transport of all clients.
  public func stop() {
    _ = client.withHandle { unsafe $0.table.pointee.transport_stop($0.client) }
  }

  /// Moves the transport of all clients to a time of the song, rounded to the nearest frame.
  ///
  /// - Parameter seconds: The time from the start of the song. It is limited to 0 and JACK's last
  ///   frame.
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
