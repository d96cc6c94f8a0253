// SPDX-License-Identifier: Apache-2.0

/// Finds packets in MP4, M4A and QuickTime.
struct MP4StreamParser: StreamParsing {
  private var window: ByteWindow

  init(at offset: Int64) { window = ByteWindow(at: offset) }

  static func recognizes(_ beginning: ArraySlice<UInt8>, isWhole: Bool) -> Bool? { false }

  var endOffset: Int64 { window.endOffset }

  mutating func append(_ bytes: [UInt8], _ ledger: inout PacketLedger) {
    window.append(bytes)
    window.drop(window.count)
  }

  mutating func move(to offset: Int64, _ ledger: inout PacketLedger) { window.move(to: offset) }

  mutating func noteDiscontinuity(_ ledger: inout PacketLedger) { window.clear() }

  mutating func finish(_ ledger: inout PacketLedger) { window.drop(window.count) }
}
