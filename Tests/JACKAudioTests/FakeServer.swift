// SPDX-License-Identifier: Apache-2.0
import CJACK
import Glibc
import Realtime
import Synchronization

@testable import JACKAudio

/// A server that runs a cycle when a test asks for it, with the number of frames it asks for.
///
/// JACK's functions take no context, so there is one per process; its tests are serialized.
@safe final class FakeServer: @unchecked Sendable {
  // Unchecked: one test at a time uses it.

  nonisolated(unsafe) static var current = FakeServer()

  var hertz: UInt32 = 48_000
  var bufferFrames: UInt32 = 1_024
  var playbackLatency: UInt32 = 0
  /// The frames that have passed, and the time of the server's clock in microseconds.
  var frame: UInt32 = 0
  var time: UInt64 = 1_000_000
  /// The delay of the reported start of a cycle, in microseconds.
  var lateness: UInt64 = 0
  var state = JackTransportStopped
  var transportFrame: UInt32 = 0
  /// True if no other client makes the transport wait.
  var othersAreReady = true
  private var isReady = false
  /// The samples of each port in the last cycle; the key is the port's address.
  var buffers: [Int: UnsafeMutablePointer<Float>] = unsafe [:]
  var names: [Int: String] = [:]
  var connections: [(String, String)] = []
  /// The events that each MIDI port sent in the last cycle, or will receive in the next.
  var messages: [Int: FakeMIDIBuffer] = [:]
  /// The full names of other clients' MIDI ports.
  var sources: [String] = []
  var destinations: [String] = []
  /// The reported capture latency of the card.
  var captureLatency: UInt32 = 0
  /// The full names of another client's audio ports: its input, and the output it is passed to.
  var effect: (input: String, output: String)?
  /// The number of ports that are left; nil for any number.
  var portRoom: Int?
  /// True if it continues after the last one.
  var staysUp = false
  /// The reported playback and capture latency of each port.
  let told = Mutex<[String: (playback: UInt32, capture: UInt32)]>([:])
  /// The connections, in raw memory, because access to an array would allocate.
  private let wires = UnsafeMutablePointer<
    (UnsafeMutablePointer<Float>, UnsafeMutablePointer<Float>)
  >
  .allocate(capacity: 8)
  private var wireCount = 0
  var portCount = 0
  /// The address of its client; the client of an earlier test has another.
  private let number = 1_000_000 + count.add(1, ordering: .relaxed).newValue
  private static let count = Atomic(0)
  let isUp = Atomic(true)
  /// True if its client was closed.
  var hasClosed: Bool { isClosed.load(ordering: .acquiring) }
  private let isClosed = Atomic(false)
  /// True if the client was closed while the thread that reported the loss was running.
  var hasClosedEarly: Bool { isClosedEarly.load(ordering: .acquiring) }
  private let isClosedEarly = Atomic(false)
  private let messengerRuns = Atomic(false)
  /// True if closing a client waits until this ends.
  let closingHangs = Atomic(false)
  private var process: (JackProcessCallback, UnsafeMutableRawPointer?)?
  private var shutdown: (JackShutdownCallback, UnsafeMutableRawPointer?)?
  private var sync: (JackSyncCallback, UnsafeMutableRawPointer?)?
  private var timebase: (JackTimebaseCallback, UnsafeMutableRawPointer?)?
  private var xrun: (JackXRunCallback, UnsafeMutableRawPointer?)?
  private var rate: (JackSampleRateCallback, UnsafeMutableRawPointer?)?
  private var freewheel: (JackFreewheelCallback, UnsafeMutableRawPointer?)?
  private var ports: (JackPortRegistrationCallback, UnsafeMutableRawPointer?)?
  private var connected: (JackPortConnectCallback, UnsafeMutableRawPointer?)?
  private var latency: (JackLatencyCallback, UnsafeMutableRawPointer?)?
  static let capacity = 8_192
  static let effectPort = 99

  /// A client of the server.
  static func client(patience: Int = 5) throws -> JACKClient {
    let server = unsafe current
    return try JACKClient(
      name: "test", server: .jack, patience: patience,
      answers: { server.isUp.load(ordering: .acquiring) }
    ) { (_) throws(JACKError) in
      guard server.isUp.load(ordering: .acquiring) else { throw .refused(.jack, status: 0x11) }
      return unsafe JACKHandle(.jack, table, client: address(server.number))
    }
  }

  static func address(_ number: Int) -> OpaquePointer {
    // Never dereferenced.
    guard let pointer = unsafe OpaquePointer(bitPattern: number) else {
      preconditionFailure("an address is above zero")
    }
    return unsafe pointer
  }

  /// Copies the samples of our ports in a cycle to the ports connected now, for the next cycle, also
  /// through the effect.
  func wire() {
    func buffer(_ name: String) -> UnsafeMutablePointer<Float>? {
      guard let port = names.first(where: { "test:\($0.value)" == name })?.key else { return nil }
      return unsafe buffers[port]
    }
    wireCount = 0
    for (source, destination) in connections {
      let isEffect = source == effect?.output
      let origin = isEffect ? connections.first { $0.1 == effect?.input }?.0 ?? "" : source
      guard let from = unsafe buffer(origin), let to = unsafe buffer(destination) else { continue }
      unsafe from.update(repeating: 0, count: Self.capacity)
      unsafe (wires + wireCount).initialize(to: (from, to))
      wireCount += 1
    }
  }

  /// Runs one cycle.
  func turn(_ count: Int) {
    for index in 0..<wireCount {
      unsafe wires[index].1.update(from: wires[index].0, count: Self.capacity)
    }
    if let sync = unsafe sync, state == JackTransportStarting, !isReady {
      var position = jack_position_t()
      position.frame = transportFrame
      isReady = unsafe sync.0(state, &position, sync.1) != 0
    }
    _ = unsafe process?.0(UInt32(count), process?.1)
    if state == JackTransportRolling { transportFrame += UInt32(count) }
    if state != JackTransportStarting {
      isReady = false
    } else if isReady, othersAreReady {
      // As all see it in the next cycle.
      (state, isReady) = (JackTransportRolling, false)
    }
    frame &+= UInt32(count)
    time += UInt64(count) * 1_000_000 / UInt64(hertz)
  }

  /// Repeats the last cycle, as JACK does if a client before us was late.
  func turnAgain(_ count: Int) {
    frame &-= UInt32(count)
    _ = unsafe process?.0(UInt32(count), process?.1)
    frame &+= UInt32(count)
  }

  /// The bars given by the timebase at a frame.
  func bars(at frame: UInt32) -> CJACKPlace? {
    guard let timebase = unsafe timebase else { return nil }
    var position = jack_position_t()
    position.frame = frame
    position.frame_rate = hertz
    unsafe timebase.0(JackTransportRolling, 1_024, &position, 0, timebase.1)
    return unsafe cjack_place(JackTransportRolling, &position)
  }

  /// Reports that ports appeared or disappeared.
  func tellPorts() { unsafe ports?.0(0, 1, ports?.1) }

  /// Reports that ports were connected or disconnected.
  func tellConnections() { unsafe connected?.0(0, 0, 1, connected?.1) }

  /// Reports that latencies have changed.
  func tellLatencies() {
    unsafe latency?.0(JackCaptureLatency, latency?.1)
    unsafe latency?.0(JackPlaybackLatency, latency?.1)
  }

  /// The buffer of one of our MIDI ports.
  func buffer(_ name: String) -> FakeMIDIBuffer? {
    names.first { $0.value == name }.flatMap { messages[$0.key] }
  }

  /// A list that is freed with `free`; the texts in it are leaked, a few bytes per test.
  static func list(_ names: [String]) -> UnsafeMutablePointer<UnsafePointer<CChar>?> {
    let list = UnsafeMutablePointer<UnsafePointer<CChar>?>.allocate(capacity: names.count + 1)
    for (place, name) in names.enumerated() {
      unsafe list[place] = unsafe UnsafePointer(strdup(name))
    }
    unsafe list[names.count] = nil
    return unsafe list
  }

  /// Reports its loss on a thread of the library; the thread ends `time` microseconds later.
  func die(lingering time: UInt32 = 0) {
    let server = self
    messengerRuns.store(true, ordering: .releasing)
    do {
      _ = try RealtimeThread(name: "messenger", priority: nil) {
        unsafe server.shutdown?.0(server.shutdown?.1)
        usleep(time)
        server.messengerRuns.store(false, ordering: .releasing)
      }
    } catch {
      preconditionFailure("\(error)")
    }
  }
  func tellXrun() { _ = unsafe xrun?.0(xrun?.1) }
  func change(rate hertz: UInt32) { _ = unsafe rate?.0(hertz, rate?.1) }
  func setFreewheel(_ isOn: Bool) { unsafe freewheel?.0(isOn ? 1 : 0, freewheel?.1) }

  /// Returns the samples of a port.
  func samples(_ name: String, count: Int) -> [Float] {
    guard let port = names.first(where: { $0.value == name })?.key,
      let buffer = unsafe buffers[port]
    else { return [] }
    return unsafe Array(UnsafeBufferPointer(start: buffer, count: count))
  }

  nonisolated(unsafe) static let table: UnsafePointer<CJACKTable> = {
    let table = UnsafeMutablePointer<CJACKTable>.allocate(capacity: 1)
    unsafe table.initialize(to: CJACKTable())
    unsafe fillClient(&table.pointee)
    unsafe fillPorts(&table.pointee)
    unsafe fillTransport(&table.pointee)
    unsafe FakeMIDIBuffer.fill(&table.pointee)
    return unsafe UnsafePointer(table)
  }()

  /// A function and its argument.
  private static func pair<Call>(
    _ call: Call?, _ context: UnsafeMutableRawPointer?
  ) -> (Call, UnsafeMutableRawPointer?)? {
    guard let call else { return nil }
    return unsafe (call, context)
  }

  private static func fillClient(_ table: inout CJACKTable) {
    unsafe table.client_close = { client in
      let server = unsafe FakeServer.current
      guard unsafe client == FakeServer.address(server.number) else { return 0 }
      while server.closingHangs.load(ordering: .acquiring) { usleep(1_000) }
      (server.names, server.messages) = ([:], [:])
      let isEarly = server.messengerRuns.load(ordering: .acquiring)
      server.isClosedEarly.store(isEarly, ordering: .releasing)
      server.isClosed.store(true, ordering: .releasing)
      return 0
    }
    unsafe table.get_client_name = { _ in unsafe strdup("test") }
    unsafe table.activate = { _ in 0 }
    unsafe table.get_sample_rate = { _ in unsafe FakeServer.current.hertz }
    unsafe table.get_buffer_size = { _ in unsafe FakeServer.current.bufferFrames }
    unsafe table.set_process_callback = {
      unsafe FakeServer.current.process = FakeServer.pair($1, $2)
      return 0
    }
    unsafe table.set_thread_init_callback = { _, _, _ in 0 }
    unsafe table.set_buffer_size_callback = { _, _, _ in 0 }
    unsafe table.set_sample_rate_callback = {
      unsafe FakeServer.current.rate = FakeServer.pair($1, $2)
      return 0
    }
    unsafe table.set_xrun_callback = {
      unsafe FakeServer.current.xrun = FakeServer.pair($1, $2)
      return 0
    }
    unsafe table.set_freewheel_callback = {
      unsafe FakeServer.current.freewheel = FakeServer.pair($1, $2)
      return 0
    }
    unsafe table.set_latency_callback = {
      unsafe FakeServer.current.latency = FakeServer.pair($1, $2)
      return 0
    }
    unsafe table.set_port_registration_callback = {
      unsafe FakeServer.current.ports = FakeServer.pair($1, $2)
      return 0
    }
    unsafe table.set_port_rename_callback = { _, _, _ in 0 }
    unsafe table.set_port_connect_callback = {
      unsafe FakeServer.current.connected = FakeServer.pair($1, $2)
      return 0
    }
    unsafe table.on_shutdown = {
      unsafe FakeServer.current.shutdown = FakeServer.pair($1, $2)
    }
    table.get_time = { unsafe FakeServer.current.time }
    unsafe table.get_cycle_times = { _, frame, now, next, period in
      let server = unsafe FakeServer.current
      unsafe frame?.pointee = server.frame
      unsafe now?.pointee = server.time + server.lateness
      unsafe next?.pointee = server.time + 1_000
      unsafe period?.pointee = Float(server.bufferFrames) * 1e6 / Float(server.hertz)
      return 0
    }
  }

  private static func fillTransport(_ table: inout CJACKTable) {
    unsafe table.transport_query = { _, position in
      unsafe position?.pointee = jack_position_t()
      unsafe position?.pointee.frame = FakeServer.current.transportFrame
      return unsafe FakeServer.current.state
    }
    unsafe table.transport_start = { _ in
      unsafe FakeServer.current.state = JackTransportStarting
    }
    unsafe table.transport_stop = { _ in unsafe FakeServer.current.state = JackTransportStopped }
    unsafe table.transport_locate = {
      unsafe FakeServer.current.transportFrame = $1
      return 0
    }
    unsafe table.set_sync_callback = {
      unsafe FakeServer.current.sync = FakeServer.pair($1, $2)
      return 0
    }
    unsafe table.set_timebase_callback = {
      unsafe FakeServer.current.timebase = FakeServer.pair($2, $3)
      return 0
    }
    unsafe table.release_timebase = { _ in 0 }
  }
}
