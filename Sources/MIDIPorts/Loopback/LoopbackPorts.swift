// SPDX-License-Identifier: Apache-2.0
public import MIDIMessages
public import MusicalTime
public import Realtime
internal import Synchronization

/// Ports in memory, with devices that are connected and disconnected by function calls, for tests.
///
/// An event is delivered at its time according to a clock that a test can control. No thread is
/// woken at that time; the event is available when a caller next reads events. The descriptor of a
/// port becomes readable when a device has sent events to it.
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
  ///   - kind: The kind of the ports, for example `alsa` to replace ALSA in a test.
  ///   - now: Returns the time at which events are delivered; the host clock by default.
  public init(
    _ kind: PortKind = .loopback,
    now: @escaping @Sendable () -> HostTime = { HostTime(nanoseconds: DeadlineWait.now) }
  ) {
    self.kind = kind
    self.now = now
    state = Mutex(LoopbackState(kind))
  }

  /// Connects a device, which is new or was disconnected before.
  ///
  /// The device has one port in each direction.
  public func plugIn(_ name: String) {
    state.withLock { $0.plugIn(name) }
  }

  /// Disconnects a device.
  ///
  /// The events that it has received are discarded, and its connections are removed.
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

  /// Returns the connected devices.
  public func peers() -> EndpointList { state.withLock { $0.list } }

  /// Creates a monitor of the devices.
  ///
  /// - Throws: `RealtimeError` if no file descriptor is available.
  public func makeMonitor() throws -> any EndpointMonitor { try LoopbackMonitor(self) }

  /// Opens a port that sends.
  ///
  /// A SysEx of any length is sent immediately.
  public func makeOutput(named name: String, sysExSpeed: Int?) -> any OutputPort {
    LoopbackOutput(self, name: name)
  }

  /// Opens a port that receives.
  ///
  /// Received events are always kept until they are drained.
  ///
  /// - Throws: `RealtimeError` if no file descriptor is available.
  public func makeInput(named name: String, readsAhead: Bool) throws -> any InputPort {
    try LoopbackInput(self, name: name)
  }
}
