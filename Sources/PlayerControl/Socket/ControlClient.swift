// SPDX-License-Identifier: Apache-2.0
internal import FileNames
internal import Glibc
package import JSONText

/// The client side of a player's socket: sends a command, and waits for the answer.
package final class ControlClient {
  /// The time in which a player must answer, in seconds: it may be loading its next song.
  private static let patience = 5

  package let path: String
  /// The message in the last answer, for the user; nil for none.
  package private(set) var message: String?
  private let descriptor: Int32
  /// The process of the player; nil if it is unknown.
  private let player: Int32?
  private var input: [UInt8] = []
  /// The events that arrived before an answer.
  private var events: [JSONValue] = []

  /// Connects to a socket.
  ///
  /// - Throws: `ControlError.Kind.noDevice` if no process accepts connections, `noPermission` if
  ///   the socket belongs to another user.
  package init(path: String) throws(ControlError) {
    self.path = path
    let cut = path.lastIndex(of: "/")
    let folder = (cut.map { String(path[...$0]) } ?? ".").withSystemPath {
      unsafe open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    }
    guard folder >= 0 else { throw Self.refusal(path, errno) }
    defer { close(folder) }
    let name = String(path[(cut.map(path.index(after:)) ?? path.startIndex)...])
    let address = try UnixAddress(name: name, in: folder, path: path)
    do {
      descriptor = try address.connected()
    } catch {
      throw Self.refusal(path, error.code)
    }
    let peer = UnixAddress.peer(of: descriptor)
    player = peer?.process
    guard peer?.user == geteuid() else {
      close(descriptor)
      throw ControlError(.noPermission, "\(path): belongs to another user")
    }
    _ = fcntl(descriptor, F_SETFL, 0)
  }

  deinit { close(descriptor) }

  private static func refusal(_ path: String, _ code: Int32) -> ControlError {
    switch code {
    case ENOENT, ECONNREFUSED, ENOTDIR:
      ControlError(
        .noDevice, "\(path): no player uses it (start one: downbeat play --ipc \(path) SONG)")
    case EAGAIN: ControlError(.noDevice, "\(path): too many programs are waiting (try again)")
    default:
      ControlError(
        ControlError.Kind.noDevice.unlessDenied(code), "\(path): \(systemMessage(code))"
      )
    }
  }

  /// Sends a command and waits for its answer.
  ///
  /// - Returns: The data of the answer; null if it is only a success.
  /// - Throws: `ControlError.Kind.refused`, with the player's message, if it refuses; `noDevice` if
  ///   it does not answer.
  package func ask(_ command: [JSONValue]) throws(ControlError) -> JSONValue {
    // The command would be performed later, when the player continues.
    if let player, ProcessState.isStopped(player) {
      throw ControlError(
        .noDevice, "\(path): the player is suspended (fg in its shell, or: kill -CONT \(player))")
    }
    try send(.object([("command", .array(command)), ("request_id", 1)]))
    wait(seconds: Self.patience)
    while let line = try line() {
      let answer = try document(line)
      guard answer["type"]?.string == "reply" else {
        events.append(answer)
        continue
      }
      guard let error = answer["error"]?.string, error == "success" else {
        throw ControlError(
          .refused, answer["error"]?.string ?? "\(path): invalid answer")
      }
      message = answer["message"]?.string
      // The name is shown escaped, so its bytes are sent, too.
      if answer["dataBytes"] != nil, let name = answer.fileName("data") { return .path(name) }
      return answer["data"] ?? .null
    }
    throw ControlError(.noDevice, "\(path): the player has ended")
  }

  /// Waits for the next event without a time limit; nil if the player has ended.
  package func event() throws(ControlError) -> JSONValue? {
    if !events.isEmpty { return events.removeFirst() }
    wait(seconds: 0)
    return try line().map(document)
  }

  private func document(_ line: [UInt8]) throws(ControlError) -> JSONValue {
    do {
      return try JSONReader.read(line)
    } catch {
      throw ControlError(.refused, "\(path): not a player's socket: \(error)")
    }
  }

  private func wait(seconds: Int) {
    var time = timeval(tv_sec: seconds, tv_usec: 0)
    unsafe setsockopt(
      descriptor, SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
  }

  private func send(_ document: JSONValue) throws(ControlError) {
    var bytes = Array("\(document)\n".utf8)
    while !bytes.isEmpty {
      let count = unsafe Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
      if count < 0, errno == EINTR { continue }
      // The player has closed the connection; its answer contains the reason.
      if count < 0, errno == EPIPE || errno == ECONNRESET { return }
      guard count > 0 else { throw ControlError(.noDevice, "\(path): the player has ended") }
      bytes.removeFirst(count)
    }
  }

  /// The next line; nil at the end.
  private func line() throws(ControlError) -> [UInt8]? {
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while true {
      if let end = input.firstIndex(of: UInt8(ascii: "\n")) {
        defer { input.removeFirst(end + 1) }
        return Array(input[..<end])
      }
      let count = unsafe recv(descriptor, &chunk, chunk.count, 0)
      if count > 0 {
        input += chunk[..<count]
      } else if count == 0 || errno == ECONNRESET {
        return nil
      } else if errno == EAGAIN {
        throw ControlError(
          .noDevice, "\(path): the player does not answer (it is suspended or loading a song)")
      } else if errno != EINTR {
        throw ControlError(.ioError, "\(path): \(systemMessage())")
      }
    }
  }
}
