// SPDX-License-Identifier: Apache-2.0
internal import ALSAMIDI
internal import CCoreAudio
internal import CoreAudioTypes

/// A SysEx that is sent bit by bit.
///
/// - Note: Its steps are done on the thread that delivers.
@safe
final class SysExTransfer: @unchecked Sendable {
  // Unchecked: one thread does its steps; whoever asked keeps the request where it is.

  private let request: UnsafeMutablePointer<MIDISysexSendRequest>
  private let endpoint: EndpointObject
  private let port: OutputPortObject?
  private let total: Int
  /// Whether the sequencer has the whole; it sends it at its pace.
  private var isHandedOver = false
  private static let piece = 256

  @unsafe
  init(_ request: UnsafeMutablePointer<MIDISysexSendRequest>, to endpoint: EndpointObject) {
    unsafe self.request = request
    self.endpoint = endpoint
    total = unsafe Int(request.pointee.bytesToSend)
    port = endpoint.reader == nil ? Self.port() : nil
  }

  /// A port of a client for that alone.
  private static func port() -> OutputPortObject {
    let client = ClientObject(
      name: "SysEx", alsa: MIDISetup.shared.openClient(name: "SysEx"), listener: nil)
    return OutputPortObject(client, name: "SysEx")
  }

  func step() {
    guard unsafe !request.pointee.complete.boolValue, unsafe request.pointee.bytesToSend > 0 else {
      return end()
    }
    guard let delay = port == nil ? sendPiece() : followKernel() else { return end() }
    DeliveryThread.shared?.add(after: delay) { [self] in step() }
  }

  private func end() {
    unsafe request.pointee.complete = true
    unsafe request.pointee.completionProc(request)
  }

  private func take(_ count: Int) -> [UInt8] {
    let count = unsafe min(count, Int(request.pointee.bytesToSend))
    let bytes = unsafe Array(UnsafeBufferPointer(start: request.pointee.data, count: count))
    advance(count)
    return bytes
  }

  private func advance(_ count: Int) {
    unsafe request.pointee.data += count
    unsafe request.pointee.bytesToSend -= UInt32(count)
  }

  /// Hands a piece to a reader of this process; returns the nanoseconds that it takes on a cable.
  private func sendPiece() -> Int64? {
    guard let reader = endpoint.reader else { return nil }
    let bytes = take(Self.piece)
    unsafe reader.read([TimedBytes(time: mach_absolute_time(), bytes: bytes)], from: nil)
    return Int64(bytes.count) * 1_000_000_000 / Int64(endpoint.sysExSpeed)
  }

  /// Hands the whole to the sequencer, then tells how much of it has left; nil where it is gone.
  private func followKernel() -> Int64? {
    guard let link = port?.link(to: endpoint) else { return nil }
    guard isHandedOver else {
      isHandedOver = true
      let bytes = unsafe Array(UnsafeBufferPointer(start: request.pointee.data, count: total))
      guard link.send([TimedBytes(time: 0, bytes: bytes)]) else { return nil }
      return 1_000_000
    }
    let isUnderWay = link.goOn()
    let left = total - (unsafe Int(request.pointee.bytesToSend))
    let sent = isUnderWay ? link.progress.sent : total
    advance(max(0, min(sent, total) - left))
    return 5_000_000
  }
}
