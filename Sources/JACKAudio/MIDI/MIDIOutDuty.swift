// SPDX-License-Identifier: Apache-2.0
internal import CJACK
internal import Realtime
internal import Synchronization

/// A port that sends: in each cycle, events that are due are written at their frames.
final class MIDIOutDuty: JACKDuty, @unchecked Sendable {
  // Unchecked: as its superclass; the kernel belongs to the server's thread.

  let lateCount = Atomic<Int>(0)
  let refusedCount = Atomic<Int>(0)
  /// The frames from a cycle until its events are audible, as reported by the receivers.
  let latency = Atomic<Int>(0)
  private let name: String
  private let guarded: GuardedPort?
  /// The frame up to which it has taken events.
  let claim: FrameClaim
  private var kernel: MIDIOutKernel
  private var port: JACKPort?
  /// The full names of ports to connect to, in the order of requests.
  private let targets = Mutex<[String]>([])

  init(name: String, _ queue: borrowing MIDIOutQueue, guarded: GuardedPort? = nil) {
    self.name = name
    self.guarded = guarded
    claim = queue.claim
    kernel = queue.kernel()
  }

  override var order: Order { .sending }

  override func open(_ handle: JACKHandle) throws(JACKError) {
    port = try handle.port(name, JACKHandle.midi, JackPortIsOutput)
  }

  override func close(_ handle: JACKHandle) {
    if let port { handle.remove(port) }
    port = nil
  }

  override func connect(_ handle: JACKHandle) throws(JACKError) -> Bool {
    guard let port else { return true }
    let source = handle.name(of: port)
    return targets.withLock { $0 }.map { handle.connect(source, to: $0) }.allSatisfy(\.self)
  }

  /// The full name of the port in other programs.
  func fullName(_ handle: JACKHandle) -> String? { port.map { handle.name(of: $0) } }

  /// Connects to a port from now on, also after a return of the server; false if the port is
  /// missing.
  func connect(to target: String, _ handle: JACKHandle) -> Bool {
    guard let port, handle.connect(handle.name(of: port), to: target) else {
      return false
    }
    targets.withLock { if !$0.contains(target) { $0.append(target) } }
    guarded?.note([target], of: handle.server)
    return true
  }

  override func lookAtConnections(_ handle: JACKHandle, beside duties: [JACKDuty]) {
    guard let port, let guarded else { return }
    guarded.note(handle.connections(of: port), of: handle.server)
  }

  /// True if the port is connected.
  func hasListeners(_ handle: JACKHandle) -> Bool {
    port.map { !handle.connections(of: $0).isEmpty } ?? false
  }

  override func process(_ cycle: JACKCycle) {
    guard let port else { return }
    let count = UInt32(truncatingIfNeeded: cycle.frameCount)
    guard let buffer = unsafe cjack_port_buffer(cycle.table, port.pointer, count) else { return }
    unsafe cjack_midi_clear(cycle.table, buffer)
    let before = claim.claim(to: cycle.frame + Int64(cycle.frameCount))
    kernel.take(from: before.frame, following: before.orders)
    unsafe kernel.write(from: cycle.frame, frameCount: cycle.frameCount, into: buffer, cycle.table)
    lateCount.store(kernel.lateCount, ordering: .relaxed)
    refusedCount.store(kernel.refusedCount, ordering: .relaxed)
  }

  override func rest(_ cycle: JACKCycle) {
    guard let port else { return }
    let count = UInt32(truncatingIfNeeded: cycle.frameCount)
    guard let buffer = unsafe cjack_port_buffer(cycle.table, port.pointer, count) else { return }
    unsafe cjack_midi_clear(cycle.table, buffer)
  }

  override func lookAtLatency(_ mode: JackLatencyCallbackMode, _ library: JACKLibrary) {
    guard let port else { return }
    // Sent events are created in the same cycle and do not depend on inputs.
    guard mode == JackPlaybackLatency else { return library.setLatency(0, of: port, mode) }
    latency.store(library.latency(of: port, mode), ordering: .relaxed)
  }

  override func note(isAway: Bool) {
    guard isAway else { return }
    let state = claim.state
    kernel.forgetHostTimes(from: state.frame, following: state.orders)
  }
}
