// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import Synchronization

/// A server on the loopback interface with a behaviour that a test defines.
final class TestHTTPServer: Sendable {
  struct Request: Sendable {
    /// The number of the request, from 0.
    let number: Int
    /// The target, such as `/song.mp3`.
    let target: String
    /// The header fields, by their names in lower case.
    let fields: [String: String]

    /// The start of the requested range; nil without a range.
    var start: Int? {
      fields["range"].flatMap { Int($0.dropFirst("bytes=".count).prefix { $0 != "-" }) }
    }
  }

  /// A connection, which is closed when the answer returns.
  struct Connection: Sendable {
    let descriptor: Int32

    /// Sends all bytes; returns false if the client has disconnected.
    @discardableResult
    func send(_ bytes: some Collection<UInt8>) -> Bool {
      let bytes = Array(bytes)
      var done = 0
      while done < bytes.count {
        let count = unsafe bytes.withUnsafeBytes {
          unsafe Glibc.send(
            descriptor, $0.baseAddress?.advanced(by: done), $0.count - done,
            Int32(MSG_NOSIGNAL))
        }
        guard count > 0 else { return false }
        done += count
      }
      return true
    }

    @discardableResult
    func send(_ text: String) -> Bool { send(Array(text.utf8)) }

    /// Sends a header: a status and fields.
    @discardableResult
    func head(_ status: String, _ fields: String...) -> Bool {
      let lines = ["HTTP/1.1 \(status)"] + fields + ["Connection: close", "", ""]
      return send(lines.joined(separator: "\r\n"))
    }

    /// Sends bytes repeatedly until the client disconnects.
    ///
    /// - Parameters:
    ///   - bytes: The bytes to send.
    ///   - sent: Called with the number of bytes sent.
    ///   - blocked: Called when no bytes could be sent for a fifth of a second.
    func sendEndlessly(_ bytes: [UInt8], sent: (Int) -> Void, blocked: () -> Void) {
      var time = timeval(tv_sec: 0, tv_usec: 200_000)
      unsafe setsockopt(
        descriptor, SOL_SOCKET, SO_SNDTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
      while true {
        let count = unsafe bytes.withUnsafeBytes {
          unsafe Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
        if count > 0 {
          sent(count)
        } else if errno == EAGAIN {
          blocked()
        } else {
          return
        }
      }
    }

    /// Waits until the client disconnects, without sending anything.
    func waitForEnd() {
      var byte: UInt8 = 0
      while unsafe recv(descriptor, &byte, 1, 0) > 0 {}
    }
  }

  private struct State {
    var requests: [Request] = []
    var open: Set<Int32> = []
    var isOver = false
  }

  private final class Shared: Sendable {
    let state = Mutex(State())
  }

  let port: UInt16
  private let listener: Int32
  private let shared = Shared()

  init(_ answer: @escaping @Sendable (Request, Connection) -> Void) {
    listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let listener = listener
    unsafe withUnsafeMutablePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        _ = unsafe bind(listener, $0, size)
        _ = unsafe getsockname(listener, $0, &size)
      }
    }
    port = UInt16(bigEndian: address.sin_port)
    listen(listener, 16)
    let shared = shared
    Thread.detachNewThread { Self.accept(listener, shared, answer) }
  }

  deinit {
    let open = shared.state.withLock { state in
      state.isOver = true
      return state.open
    }
    shutdown(listener, Int32(SHUT_RDWR))
    for descriptor in open { shutdown(descriptor, Int32(SHUT_RDWR)) }
  }

  var address: String { "http://127.0.0.1:\(port)" }

  /// The requests so far.
  var requests: [Request] { shared.state.withLock { $0.requests } }

  private static func accept(
    _ listener: Int32, _ shared: Shared,
    _ answer: @escaping @Sendable (Request, Connection) -> Void
  ) {
    while true {
      let client = Glibc.accept(listener, nil, nil)
      guard client >= 0 else { break }
      let isOver = shared.state.withLock { state in
        state.open.insert(client)
        return state.isOver
      }
      if isOver { shutdown(client, Int32(SHUT_RDWR)) }
      Thread.detachNewThread {
        if let request = read(client, shared) {
          answer(request, Connection(descriptor: client))
        }
        shared.state.withLock { _ = $0.open.remove(client) }
        close(client)
      }
    }
    close(listener)
  }

  private static func read(_ client: Int32, _ shared: Shared) -> Request? {
    var bytes: [UInt8] = []
    var byte: UInt8 = 0
    while !bytes.suffix(4).elementsEqual("\r\n\r\n".utf8) {
      // The start of a secure connection is not supported.
      guard unsafe recv(client, &byte, 1, 0) == 1, byte != 0x16 || !bytes.isEmpty else {
        return nil
      }
      bytes.append(byte)
    }
    let lines = String(decoding: bytes, as: UTF8.self).components(separatedBy: "\r\n")
    var fields: [String: String] = [:]
    for line in lines.dropFirst() {
      guard let colon = line.firstIndex(of: ":") else { continue }
      fields[line[..<colon].lowercased()] = line[line.index(after: colon)...]
        .trimmingCharacters(in: .whitespaces)
    }
    let words = lines[0].components(separatedBy: " ")
    guard words.count > 1 else { return nil }
    return shared.state.withLock { state in
      let request = Request(number: state.requests.count, target: words[1], fields: fields)
      state.requests.append(request)
      return request
    }
  }
}

extension TestHTTPServer.Connection {
  /// Sends a file, or the requested range if the server supports ranges, with at most `limit` bytes
  /// of the body for any stated length.
  func sendFile(
    _ bytes: [UInt8], _ request: TestHTTPServer.Request, givesParts: Bool = true,
    tag: String = "\"1\"", type: String = "audio/aac", limit: Int = .max
  ) {
    let start = givesParts ? request.start : nil
    if let start, start >= bytes.count {
      head("416 Range Not Satisfiable", "Content-Range: bytes */\(bytes.count)")
      return
    }
    let body = bytes.dropFirst(start ?? 0)
    let part = start.map { "Content-Range: bytes \($0)-\(bytes.count - 1)/\(bytes.count)" }
    head(
      start == nil ? "200 OK" : "206 Partial Content", "Content-Type: \(type)",
      "Content-Length: \(body.count)", "ETag: \(tag)", part ?? "Accept-Ranges: none")
    send(body.prefix(limit))
  }
}
