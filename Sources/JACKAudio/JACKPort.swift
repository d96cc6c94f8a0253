// SPDX-License-Identifier: Apache-2.0
internal import CJACK

/// A port of our client, or of another one that was looked up; valid until the server is gone.
@safe
struct JACKPort: BitwiseCopyable {
  let pointer: OpaquePointer
}

/// The functions of a server's library.
@safe
struct JACKLibrary: BitwiseCopyable {
  let table: UnsafePointer<CJACKTable>

  /// The latency of a port in frames, on its longest path.
  func latency(of port: JACKPort, _ mode: JackLatencyCallbackMode) -> Int {
    var range = jack_latency_range_t(min: 0, max: 0)
    unsafe table.pointee.port_get_latency_range(port.pointer, mode, &range)
    return Int(range.max)
  }

  /// Reports the latency of a port of ours.
  func setLatency(_ frames: Int, of port: JACKPort, _ mode: JackLatencyCallbackMode) {
    let frames = UInt32(clamping: frames)
    var range = jack_latency_range_t(min: frames, max: frames)
    unsafe table.pointee.port_set_latency_range(port.pointer, mode, &range)
  }
}
