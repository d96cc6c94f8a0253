// SPDX-License-Identifier: Apache-2.0
internal import CCurl

/// libcurl's loop: one transfer at a time, which another thread may wake.
///
/// Why libcurl, and not the HTTP of libavformat: a reply's fields can be seen, so that ranges,
/// titles and versions can be judged; a transfer pauses without blocking its thread; every wait can
/// be ended from another thread at once; redirects are bounded and leave passwords behind; and it
/// needs no codec. libavformat hides the reply and blocks in a read that only a callback can end.
@safe
final class CurlTransfers: @unchecked Sendable {
  // One thread uses it; what others do is to wake, which libcurl allows.
  let table: UnsafePointer<CCurlTable>
  let loop: UnsafeMutableRawPointer

  init() throws(HTTPError) {
    guard let table = unsafe ccurl_table() else { throw .libraryMissing }
    guard let loop = unsafe table.pointee.multi_init() else { throw .cannotStart(code: 0) }
    unsafe (self.table, self.loop) = (table, loop)
  }

  deinit { unsafe _ = table.pointee.multi_cleanup(loop) }

  /// The number in libcurl's own words, `libcurl/7.88.1 OpenSSL/3.0.17 …`.
  static var version: String? {
    guard let table = unsafe ccurl_table(), let words = unsafe table.pointee.version() else {
      return nil
    }
    return String(unsafe String(cString: words).drop { !$0.isNumber }.prefix { $0 != " " })
  }

  /// Ends a wait, now or the next one; any thread.
  func wake() { unsafe _ = table.pointee.multi_wakeup(loop) }

  /// Does what can be done without waiting.
  func perform() {
    var running: Int32 = 0
    unsafe _ = table.pointee.multi_perform(loop, &running)
  }

  /// Waits for the network or to be woken.
  func wait(_ time: Duration) {
    let milliseconds = Int32(clamping: time.milliseconds + 1)
    unsafe _ = table.pointee.multi_poll(loop, nil, 0, milliseconds, nil)
  }

  /// How the transfer ended; nil where it goes on.
  func takeResult() -> CURLcode? {
    let code = unsafe ccurl_result(table, loop)
    return code < 0 ? nil : CURLcode(rawValue: UInt32(code))
  }
}
