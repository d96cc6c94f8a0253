// SPDX-License-Identifier: Apache-2.0
internal import ALSAMIDI
internal import CCoreAudio
internal import MIDIPorts
internal import Synchronization

/// All that there is of MIDI: the kernel's devices, other programs' ports, and what this process has.
///
/// It is asked for without a run loop and is never stale: the sequencer's announcements are taken
/// before every answer.
final class MIDISetup: Sendable {
  static let shared = MIDISetup()

  private let state = Mutex(State())

  struct State: Sendable {
    var monitor: ALSAEndpointMonitor?
    var hasLooked = false
    /// The numbers of this process's clients of the sequencer: their ports are told of as its own.
    var ownNumbers: Set<UInt8> = []
    var directory = Directory()
    /// Endpoints that this process made, in order.
    var own: [EndpointObject] = []
    /// A new list for each change: the thread sanitizer does not see that nobody has a list any more
    /// who read it without the lock.
    var clients: [ClientObject] = []
    /// Unique numbers that were given, and to whom.
    var uniqueIDs = UniqueIDs()
  }

  /// Does something with all that there is, as it is now; tells of what has changed.
  func with<Result: Sendable>(_ body: (inout State) -> Result) -> Result {
    let (result, notices) = state.withLock { state in
      var notices: [Notice] = []
      Self.update(&state, &notices)
      return (body(&state), notices)
    }
    Notice.tell(notices)
    return result
  }

  /// Looks for the sequencer again where there was none.
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
      // The sequencer is gone, and all its ports are.
      state.monitor = nil
      state.take(EndpointList(devices: []), &notices)
    }
  }

  private static func openMonitor() -> ALSAEndpointMonitor? {
    do {
      return try ALSAEndpointMonitor()
    } catch {
      // Without a sequencer the endpoints of this process have each other.
      return nil
    }
  }

  /// Opens a client of the sequencer, whose ports are not told of as another program's; nil where
  /// there is no sequencer.
  func openClient(name: String) -> ALSAClient? {
    // Held meanwhile, so that nobody takes the new client for a stranger.
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
  /// Takes a new list of the sequencer's ports.
  mutating func take(_ list: EndpointList, _ notices: inout [Notice]) {
    ownNumbers.formIntersection(list.devices.map(\.number))
    let strangers = EndpointList(devices: list.devices.filter { !ownNumbers.contains($0.number) })
    directory.take(strangers, &uniqueIDs, &notices)
  }

  /// The endpoints that are there and not hidden: the sequencer's, then this process's own.
  func endpoints(source isSource: Bool) -> [EndpointObject] {
    (directory.endpoints + own).filter { $0.isSource == isSource && !$0.isHidden }
  }
}
