// SPDX-License-Identifier: Apache-2.0
internal import ALSAMIDI
internal import CCoreAudio
internal import MIDIPorts
internal import Synchronization

/// The MIDI setup: the kernel's devices, the ports of other programs, and the objects of this
/// process.
///
/// It is always current, without a run loop: each access first reads the sequencer's announcements.
final class MIDISetup: Sendable {
  static let shared = MIDISetup()

  private let state = Mutex(State())

  struct State: Sendable {
    var monitor: ALSAEndpointMonitor?
    var hasLooked = false
    /// The numbers of this process's clients in the sequencer, whose ports are not listed as
    /// foreign ports.
    var ownNumbers: Set<UInt8> = []
    var directory = Directory()
    /// The endpoints that this process has created, in order.
    var own: [EndpointObject] = []
    /// Each change makes a new array: the thread sanitizer cannot see that a thread which has read
    /// the old array without the lock does not use it any more.
    var clients: [ClientObject] = []
    /// The unique IDs in use, with their objects.
    var uniqueIDs = UniqueIDs()
  }

  /// Calls a function with the current state, and then sends notifications of changes.
  func with<Result: Sendable>(_ body: (inout State) -> Result) -> Result {
    let (result, notices) = state.withLock { state in
      var notices: [Notice] = []
      Self.update(&state, &notices)
      return (body(&state), notices)
    }
    Notice.tell(notices)
    return result
  }

  /// Searches for the sequencer again if it was not found.
  func restart() {
    state.withLock { if $0.monitor == nil { $0.hasLooked = false } }
    with { _ in }
  }

  private static func update(_ state: inout State, _ notices: inout [Notice]) {
    if !state.hasLooked {
      state.hasLooked = true
      guard let monitor = openMonitor() else { return }
      state.monitor = monitor
      state.take(monitor.endpoints, &notices)
      DeliveryThread.shared?.watch(monitor.descriptor) {
        MIDISetup.shared.with { $0.monitor != nil }
      }
      return
    }
    guard let monitor = state.monitor else { return }
    do {
      guard try !monitor.changes().isEmpty else { return }
      state.take(monitor.endpoints, &notices)
    } catch {
      // The sequencer and all its ports are not available any more.
      state.monitor = nil
      state.take(EndpointList(devices: []), &notices)
    }
  }

  private static func openMonitor() -> ALSAEndpointMonitor? {
    do {
      return try ALSAEndpointMonitor()
    } catch {
      // Without a sequencer, only endpoints of this process exist.
      return nil
    }
  }

  /// Opens a client of the sequencer whose ports are not listed as foreign ports; nil without a
  /// sequencer.
  func openClient(name: String) -> ALSAClient? {
    // The lock is held meanwhile, so that the new client is not listed as a foreign one.
    with { state in
      guard state.monitor != nil else { return nil }
      do {
        let client = try ALSAClient(name: name)
        state.ownNumbers.insert(client.number)
        return client
      } catch {
        return nil
      }
    }
  }
}

extension MIDISetup.State {
  /// Updates the state from a new list of the sequencer's ports.
  mutating func take(_ list: EndpointList, _ notices: inout [Notice]) {
    ownNumbers.formIntersection(list.devices.map(\.number))
    let strangers = EndpointList(devices: list.devices.filter { !ownNumbers.contains($0.number) })
    directory.take(strangers, &uniqueIDs, &notices)
  }

  /// The endpoints that exist and are not hidden: those of the sequencer, then those of this
  /// process.
  func endpoints(source isSource: Bool) -> [EndpointObject] {
    (directory.endpoints + own).filter { $0.isSource == isSource && !$0.isHidden }
  }
}
