// SPDX-License-Identifier: Apache-2.0
public import MIDIMessages
public import MusicalTime
public import Realtime
internal import Synchronization

/// Ports in memory, with devices that are connected and disconnected by function calls, for tests.
///
/// An event is delivered at its time, but nothing is woken up then: it is available when a caller
/// next looks. The time is that of a clock that a test can control. A port's descriptor becomes
/// readable when a device has sent something to it.
///
/// - Note: Can be used from any thread. Not real-time safe.
public final class LoopbackPorts: PortProvider {
  /// The kind of the ports.
  public let kind: PortKind
  let now: @Sendable () -> HostTime
  let state: Mutex<LoopbackState>

  /// Creates a provider without devices.
  ///
  /// - Parameters:
  ///   - kind: The kind of the ports, which can be that of another provider.
  ///   - now: The clock for delivering events; the host clock by default.
  public init(
    _ kind: PortKind = .loopback,
    now: @escaping @Sendable () -> HostTime = { HostTime(nanoseconds: DeadlineWait.now) }
  ) {
    self.kind = kind
    self.now = now
    state = Mutex(LoopbackState(kind))
  }

  /// Connects a device, which can be new or disconnected before.
  ///
  /// It has a port in each direction.
  public func plugIn(_ name: String) {
    state.withLock { $0.plugIn(name) }
  }

  /// Disconnects a device.
  ///
  /// Its received events are discarded, and its connections are removed.
  public func pullOut(_ name: String) {
    state.withLock { $0.pullOut(name) }
  }

  /// Sends events from a device to all connected ports immediately.
  public func send(_ events: HostEventBuffer, from name: String) {
    state.withLock { $0.send(events, from: name) }
  }

  /// Appends the events that a device has received since the last call and that are due, in order
  /// of time.
  public func drain(_ name: String, into buffer: inout HostEventBuffer) {
    let now = now()
    state.withLock { state in
      state.deliver(until: now)
      state.takeReceived(by: name, into: &buffer)
    }
  }

  /// The connected devices.
  public func peers() -> EndpointList { state.withLock { $0.list } }

  /// Creates a monitor of the devices.
  ///
  /// - Throws: `RealtimeError` if no file descriptor is available.
  public func makeMonitor() throws -> any EndpointMonitor { try LoopbackMonitor(self) }

  /// Opens a port that sends.
  ///
  /// A SysEx of any length is sent at once.
  public func makeOutput(named name: String, sysExSpeed: Int?) -> any OutputPort {
    LoopbackOutput(self, name: name)
  }

  /// Opens a port that receives.
  ///
  /// It always keeps received events.
  ///
  /// - Throws: `RealtimeError` if no file descriptor is available.
  public func makeInput(named name: String, readsAhead: Bool) throws -> any InputPort {
    try LoopbackInput(self, name: name)
  }
}
