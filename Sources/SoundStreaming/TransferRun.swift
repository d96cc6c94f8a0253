// SPDX-License-Identifier: Apache-2.0
internal import CCurl
internal import Glibc

/// Runs the requests of a source one after another on its thread.
@safe
final class TransferRun {
  /// The end of a request.
  private enum Outcome {
    case complete
    case failed(HTTPError)
    /// A seek was requested, or the transfer was cancelled.
    case overtaken
  }

  /// The maximum size of the headers of a reply, including those of redirects.
  private static let headLimit = 256 << 10
  /// The number of bytes that must arrive within the timeout, or the connection is stalled.
  private static let slowest = 256
  private static let endlessHead = "the header of its reply is too long"

  private let address: HTTPAddress
  private let settings: HTTPSettings
  private let queue: EventQueue
  private let transfers: CurlTransfers
  private let copy: CopyDuty?
  private var plan: ResumePlan
  private var body: ReplyBody?
  private var head = ReplyHead()
  private var headByteCount = 0
  /// The reason why the body is refused.
  private var refusal: HTTPError?
  private var isPaused = false
  private var hasOpened = false
  private var isInterrupted = false
  private var attempt = 0
  /// The time at which data last arrived, or can arrive again; connecting has a separate timeout.
  private var lastMoment = ContinuousClock.now
  /// The bytes since then; a few do not count as progress.
  private var newByteCount = 0

  init(
    _ address: HTTPAddress, settings: HTTPSettings, queue: EventQueue,
    transfers: CurlTransfers, copy: CopyDuty?
  ) {
    (self.address, self.settings, self.queue) = (address, settings, queue)
    (self.transfers, self.copy) = (transfers, copy)
    plan = ResumePlan(
      shown: address.shown, takesAnything: settings.takesAnything, part: settings.part)
  }

  /// Runs until the transfer is cancelled.
  func run() {
    // Writing to a closed secure connection raises this signal, which would end the program.
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    unsafe sigaddset(&signals, SIGPIPE)
    unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
    while !queue.isCancelled {
      if let offset = queue.takeSeek() {
        plan.move(to: offset)
        (attempt, isInterrupted) = (0, false)
      }
      switch transfer() {
      case .overtaken: continue
      case .complete: finish(.success(()))
      case .failed(let error): recover(from: error)
      }
    }
    copy?.drop()
  }

  /// Ends the transfer, unless a seek is requested.
  private func finish(_ end: EventQueue.End) {
    if case .success = end, let event = copy?.finish(byteCount: plan.offset) { queue.push(event) }
    queue.finish(end)
    wait(until: nil)
  }

  /// Waits before another attempt, or ends the transfer.
  private func recover(from error: HTTPError) {
    // A station that is off the air can return soon.
    let mayPass = error.isPassing || plan.reply?.isStation == true && error.isAbsence
    guard mayPass, hasOpened, attempt < settings.attemptLimit else {
      return finish(.failure(error))
    }
    let pause = settings.pause(beforeAttempt: attempt)
    attempt += 1
    isInterrupted = true
    queue.push(.interrupted(error, pause: pause))
    wait(until: .now + pause)
  }

  private func wait(until time: ContinuousClock.Instant?) {
    while !queue.isOvertaken {
      let left = time.map { $0 - .now } ?? .seconds(3_600)
      guard left > .zero else { return }
      transfers.wait(left)
    }
  }

  /// Sends a request and processes its reply.
  private func transfer() -> Outcome {
    guard var transfer = CurlTransfer(transfers) else { return .failed(.cannotStart(code: 0)) }
    transfer.prepare(address, settings, fields: plan.fields)
    (body, head, headByteCount, refusal, isPaused) = (nil, ReplyHead(), 0, nil, false)
    (lastMoment, newByteCount) = (.now + settings.connectTimeout, 0)
    let context = unsafe Unmanaged.passUnretained(self).toOpaque()
    guard unsafe transfer.start(context: context, line: Self.takeLine, bytes: Self.takeBytes) else {
      return .failed(.cannotStart(code: 0))
    }
    while true {
      transfers.perform()
      if queue.isOvertaken { return .overtaken }
      if let code = transfers.takeResult() { return outcome(code, transfer) }
      if isPaused, queue.hasRoom() {
        isPaused = false
        lastMoment = .now
        transfer.goOn()
        continue
      }
      let left = lastMoment + settings.stallTimeout - .now
      guard isPaused || left > .zero else {
        return .failed(.stalled(address.shown, after: settings.stallTimeout))
      }
      transfers.wait(isPaused ? .seconds(3_600) : left)
    }
  }

  private func outcome(_ code: CURLcode, _ transfer: borrowing CurlTransfer) -> Outcome {
    // A header without a body.
    let isFinal = head.isComplete && !(300..<400 ~= head.status) && head.status >= 200
    if body == nil, refusal == nil, isFinal { judge() }
    if let refusal { return .failed(refusal) }
    if code.rawValue == CURLE_OK.rawValue {
      deliver(body?.finish() ?? [])
      if let refusal { return .failed(refusal) }
    }
    guard let failure = failure(code, transfer) else { return .complete }
    return .failed(failure)
  }

  /// The error for a result of libcurl; nil at the end of the sound.
  private func failure(_ code: CURLcode, _ transfer: borrowing CurlTransfer) -> HTTPError? {
    switch code {
    case CURLE_OK: body?.isEnd == true ? nil : plan.failureAtEnd
    case CURLE_TOO_MANY_REDIRECTS:
      .redirected(address.shown, limit: settings.redirectLimit)
    case CURLE_OPERATION_TIMEDOUT: .stalled(address.shown, after: settings.connectTimeout)
    case CURLE_URL_MALFORMAT, CURLE_UNSUPPORTED_PROTOCOL: .badAddress(address.shown)
    // libcurl's limit of a line, 100 KiB, which old versions report as a lack of memory.
    case let code where CurlTransfer.isOfLongLine(code) && !head.isComplete:
      .unreachable(address.shown, reason: Self.endlessHead)
    case let code where CurlTransfer.isOfSecurity(code):
      .notSecure(address.shown, reason: transfer.reason(code))
    default:
      // If the sound is complete, the end of the connection does not matter.
      if plan.isAtEnd || plan.reply.map({ $0.byteCount == plan.offset }) ?? false {
        nil
      } else {
        body == nil ? lost(code, transfer) : plan.failureAtEnd ?? lost(code, transfer)
      }
    }
  }

  private func lost(_ code: CURLcode, _ transfer: borrowing CurlTransfer) -> HTTPError {
    .unreachable(address.shown, reason: transfer.reason(code))
  }

  /// Determines the meaning of the reply when its header is complete.
  private func judge() {
    switch plan.judge(head) {
    case .fail(let error): refusal = error
    case .end: body = .end
    case .take(let skipped, let isContinuous):
      body = ReplyBody(
        skipping: skipped, titleInterval: head.titleInterval,
        isBeginning: plan.offset == 0 && !hasOpened && !settings.takesAnything)
      tellOpening(isContinuous)
    }
  }

  private func tellOpening(_ isContinuous: Bool) {
    if !hasOpened, let reply = plan.reply { queue.push(.opened(reply)) }
    if isInterrupted { queue.push(.resumed(isContinuous: isContinuous)) }
    (hasOpened, isInterrupted) = (true, false)
  }

  /// Reports the contents of a body.
  private func deliver(_ pieces: [ReplyBody.Piece]) {
    for piece in pieces {
      switch piece {
      case .sound(let bytes): deliver(bytes)
      case .title(let title): queue.push(.title(title))
      case .foreign(let kind): refusal = .notSound(address.shown, kind: kind)
      }
    }
  }

  private func deliver(_ all: [UInt8]) {
    let count = plan.wantedCount(of: all.count)
    guard count > 0 else { return }
    let bytes = count == all.count ? all : Array(all.prefix(count))
    if let failure = copy?.write(bytes, at: plan.offset) { queue.push(.notCopied(failure)) }
    queue.push(.bytes(bytes, at: plan.offset))
    plan.advance(by: bytes.count)
    attempt = 0
  }

  private func take(_ bytes: [UInt8]) -> Int {
    // The transfer ends, because its data is not needed.
    if queue.isOvertaken { return 0 }
    if isPaused || !queue.hasRoom() {
      isPaused = true
      return Int(CURL_WRITEFUNC_PAUSE)
    }
    noteProgress(bytes.count)
    if body == nil { judge() }
    if refusal == nil { deliver(body?.take(bytes) ?? []) }
    // Any other number than that received ends the transfer.
    return refusal == nil && !plan.isAtEnd ? bytes.count : 0
  }

  /// Notes bytes that were received.
  private func noteProgress(_ count: Int) {
    newByteCount += count
    guard newByteCount >= Self.slowest else { return }
    (lastMoment, newByteCount) = (.now, 0)
  }

  /// Adds a header line.
  ///
  /// Their total size is limited, because libcurl also stores them.
  private func take(line: String, _ byteCount: Int) -> Int {
    noteProgress(byteCount)
    headByteCount += byteCount
    guard headByteCount <= Self.headLimit else {
      refusal = .unreachable(address.shown, reason: Self.endlessHead)
      return 0
    }
    head.take(line: line)
    if head.isComplete { endHead() }
    return byteCount
  }

  /// Notes the address of a redirect.
  private func endHead() {
    (lastMoment, newByteCount) = (.now, 0)
    guard 300..<400 ~= head.status, let location = head["location"],
      let next = AddressReference.address(location, in: queue.address)
    else { return }
    queue.address = next
  }

  private static let takeBytes: CCurlTaker = { bytes, one, count, context in
    guard let run = unsafe run(context), let bytes = unsafe bytes else { return 0 }
    return run.take(unsafe Array(UnsafeRawBufferPointer(start: bytes, count: one * count)))
  }

  private static let takeLine: CCurlTaker = { bytes, one, count, context in
    guard let run = unsafe run(context), let bytes = unsafe bytes else { return 0 }
    let line = unsafe UnsafeRawBufferPointer(start: bytes, count: one * count)
    return run.take(line: String(decoding: unsafe Array(line), as: UTF8.self), one * count)
  }

  private static func run(_ context: UnsafeMutableRawPointer?) -> TransferRun? {
    unsafe context.map { unsafe Unmanaged<TransferRun>.fromOpaque($0).takeUnretainedValue() }
  }
}
