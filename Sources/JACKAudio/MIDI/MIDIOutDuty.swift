// SPDX-License-Identifier: Apache-2.0
internal import CJACK
internal import Realtime
internal import Synchronization

/// A port that sends: what is due is written in each turn, at its frame.
final class MIDIOutDuty: JACKDuty, @unchecked Sendable {
  // Unchecked: as its parent says; the kernel is the server's thread's.

  let lateCount = Atomic<Int>(0)
  let refusedCount = Atomic<Int>(0)
  /// Frames from a turn until what is sent in it is heard, as those who receive it report.
  let latency = Atomic<Int>(0)
  private let name: String
  private let guarded: GuardedPort?
  /// What it has taken of what was sent.
  let claim: FrameClaim
  private var kernel: MIDIOutKernel
  private var port: JACKPort?
  /// The full names of ports to connect to, in the order in which they were asked for.
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

  /// Its full name, as others see it.
  func fullName(_ handle: JACKHandle) -> String? { port.map { handle.name(of: $0) } }

  /// Connects to a port from now on, also after a return; false where it is not there.
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

  /// Whether anybody is connected.
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
    // What goes out was made in this very turn: nothing comes in.
    guard mode == JackPlaybackLatency else { return library.setLatency(0, of: port, mode) }
    latency.store(library.latency(of: port, mode), ordering: .relaxed)
  }

  override func note(isAway: Bool) {
    guard isAway else { return }
    let state = claim.state
    kernel.forgetHostTimes(from: state.frame, following: state.orders)
  }
}
