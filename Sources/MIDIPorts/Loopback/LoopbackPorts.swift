// SPDX-License-Identifier: Apache-2.0
public import MIDIMessages
public import MusicalTime
public import Realtime
internal import Synchronization

/// Ports in memory, with devices that are plugged in and pulled out by hand: for tests of whatever
/// uses ports.
///
/// An event leaves at its time, but nobody is woken by that: it is there when somebody looks, at the
/// instants of a clock that a test may hold. A port's descriptor can be read when a device
/// has sent something to it.
///
/// - Note: any thread may use it. Not real-time safe.
public final class LoopbackPorts: PortProvider {
  /// The kind that it was given.
  public let kind: PortKind
  let now: @Sendable () -> HostTime
  let state: Mutex<LoopbackState>

  /// Creates a provider without any device.
  ///
  /// - Parameters:
  ///   - kind: what its ports are said to be; it may stand in for another provider.
  ///   - now: the clock by which events leave: the machine's by default.
  public init(
    _ kind: PortKind = .loopback,
    now: @escaping @Sendable () -> HostTime = { HostTime(nanoseconds: DeadlineWait.now) }
  ) {
    self.kind = kind
    self.now = now
    state = Mutex(LoopbackState(kind))
  }

  /// Plugs a device in: new, or one that was pulled out; it has a port in either direction.
  public func plugIn(_ name: String) {
    state.withLock { $0.plugIn(name) }
  }

  /// Pulls a device out: what was sent to it and not drained is lost, and nobody is connected to it
  /// any more.
  public func pullOut(_ name: String) {
    state.withLock { $0.pullOut(name) }
  }

  /// Has a device send events to whoever is connected to it, at once.
  public func send(_ events: HostEventBuffer, from name: String) {
    state.withLock { $0.send(events, from: name) }
  }

  /// Appends what a device was sent since the last call and is due by now, by time.
  public func drain(_ name: String, into buffer: inout HostEventBuffer) {
    let now = now()
    state.withLock { state in
      state.deliver(until: now)
      state.takeReceived(by: name, into: &buffer)
    }
  }

  /// The devices that are plugged in.
  public func peers() -> EndpointList { state.withLock { $0.list } }

  /// Begins to tell of devices.
  ///
  /// - Throws: `RealtimeError` where no descriptor is left.
  public func makeMonitor() throws -> any EndpointMonitor { try LoopbackMonitor(self) }

  /// Opens a port that sends; a SysEx leaves at once, whatever its length.
  public func makeOutput(named name: String, sysExSpeed: Int?) -> any OutputPort {
    LoopbackOutput(self, name: name)
  }

  /// Opens a port that receives, and always reads ahead.
  ///
  /// - Throws: `RealtimeError` where no descriptor is left.
  public func makeInput(named name: String, readsAhead: Bool) throws -> any InputPort {
    try LoopbackInput(self, name: name)
  }
}
