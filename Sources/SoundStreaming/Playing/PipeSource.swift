// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import Realtime

/// The bytes of a pipe, while another program writes them.
///
/// A thread reads up to 256 KiB in advance; then the other program must wait.
final class PipeSource: StreamSource, Sendable {
  private static let room = 256 << 10
  /// The maximum number of bytes of a piece, the capacity of a pipe.
  private static let chunk = 64 << 10

  let name: String
  private let queue = EventQueue(room: room)
  private let alarm: Alarm

  /// A pipe within this process that ends a wait.
  private final class Alarm: Sendable {
    let (output, input): (Int32, Int32)

    init?() {
      var ends: [Int32] = [-1, -1]
      guard unsafe pipe(&ends) == 0 else { return nil }
      (output, input) = (ends[0], ends[1])
      for end in ends {
        _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        _ = fcntl(end, F_SETFL, O_NONBLOCK)
      }
    }

    deinit {
      close(output)
      close(input)
    }

    func wake() {
      var byte: UInt8 = 0
      unsafe _ = write(input, &byte, 1)
    }

    func clear() {
      var bytes: [UInt8] = Array(repeating: 0, count: 64)
      unsafe _ = Glibc.read(output, &bytes, bytes.count)
    }
  }

  /// Starts to read.
  ///
  /// - Parameters:
  ///   - descriptor: A pipe, a socket or a terminal. It is duplicated, and stays open.
  ///   - name: The name in messages.
  /// - Throws: `HTTPError.cannotKeep` if the descriptor is not open, and `.cannotStart`.
  init(descriptor: Int32, name: String) throws(HTTPError) {
    let own = fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
    guard own >= 0 else { throw .cannotKeep(path: name, reason: HTTPError.reason(errno)) }
    guard let alarm = Alarm() else {
      close(own)
      throw .cannotStart(code: errno)
    }
    (self.name, self.alarm) = (name, alarm)
    let queue = queue
    do {
      _ = try RealtimeThread(name: "downbeat pipe", priority: nil) {
        Self.run(own, name, queue, alarm)
      }
    } catch {
      close(own)
      throw .cannotStart(code: 0)
    }
  }

  deinit { cancel() }

  var traits: StreamTraits { StreamTraits(isRealTime: true, isFinite: true) }

  func next() async throws -> StreamEvent? {
    let event = await withTaskCancellationHandler {
      await queue.next()
    } onCancel: {
      cancel()
    }
    if queue.isToWake { alarm.wake() }
    return try event.get().map { .transfer($0) }
  }

  func seek(to offset: Int64) throws { throw HTTPError.givesNoParts(name) }

  func cancel() {
    queue.cancel()
    alarm.wake()
  }

  private static func run(
    _ descriptor: Int32, _ name: String, _ queue: EventQueue, _ alarm: Alarm
  ) {
    var offset: Int64 = 0
    while !queue.isCancelled {
      guard queue.hasRoom() else {
        wait(alarm.output, nil)
        alarm.clear()
        continue
      }
      guard wait(alarm.output, descriptor) else {
        alarm.clear()
        continue
      }
      switch read(descriptor) {
      case .success([]):
        queue.finish(.success(()))
        return _ = close(descriptor)
      case .success(let bytes):
        queue.push(.bytes(bytes, at: offset))
        offset += Int64(bytes.count)
      case .failure(let error) where error.code == EINTR || error.code == EAGAIN: continue
      case .failure(let error):
        queue.finish(.failure(.unreachable(name, reason: HTTPError.reason(error.code))))
        return _ = close(descriptor)
      }
    }
    close(descriptor)
  }

  /// An error number.
  private struct Refusal: Error {
    let code: Int32
  }

  private static func read(_ descriptor: Int32) -> Result<[UInt8], Refusal> {
    var (code, ready): (Int32, Int32) = (0, 0)
    unsafe _ = ioctl(descriptor, UInt(FIONREAD), &ready)
    let size = min(chunk, max(4096, Int(ready)))
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      let got = unsafe Glibc.read(descriptor, buffer.baseAddress, size)
      code = got < 0 ? errno : 0
      count = max(0, got)
    }
    return code == 0 ? .success(bytes) : .failure(Refusal(code: code))
  }

  /// Waits until a descriptor is readable, or the alarm is raised; returns true only for the
  /// descriptor.
  @discardableResult
  private static func wait(_ alarm: Int32, _ descriptor: Int32?) -> Bool {
    var polled = [
      pollfd(fd: alarm, events: Int16(POLLIN), revents: 0),
      pollfd(fd: descriptor ?? -1, events: Int16(POLLIN), revents: 0),
    ]
    unsafe _ = poll(&polled, nfds_t(polled.count), -1)
    return polled[0].revents == 0 && polled[1].revents != 0
  }
}
