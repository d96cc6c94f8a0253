// SPDX-License-Identifier: Apache-2.0
internal import CCurl

/// libcurl's event loop with one transfer at a time, which other threads can wake.
///
/// libcurl is used instead of the HTTP client of libavformat because it shows the header fields of
/// a reply, which are needed for ranges, titles and versions; because a transfer can be paused
/// without blocking its thread; because another thread can end any wait; because redirects are
/// limited and do not forward passwords; and because it does not need codecs. libavformat hides the
/// reply, and blocks in reads that only a callback can end.
@safe
final class CurlTransfers: @unchecked Sendable {
  // Only one thread uses it. Other threads only wake it, which libcurl allows.
  let table: UnsafePointer<CCurlTable>
  let loop: UnsafeMutableRawPointer

  init() throws(HTTPError) {
    guard let table = unsafe ccurl_table() else { throw .libraryMissing }
    guard let loop = unsafe table.pointee.multi_init() else { throw .cannotStart(code: 0) }
    unsafe (self.table, self.loop) = (table, loop)
  }

  deinit { unsafe _ = table.pointee.multi_cleanup(loop) }

  /// The version in libcurl's version text, `libcurl/7.88.1 OpenSSL/3.0.17 …`.
  static var version: String? {
    guard let table = unsafe ccurl_table(), let words = unsafe table.pointee.version() else {
      return nil
    }
    return String(unsafe String(cString: words).drop { !$0.isNumber }.prefix { $0 != " " })
  }

  /// Ends the current wait, or the next one.
  ///
  /// Safe to call from any thread.
  func wake() { unsafe _ = table.pointee.multi_wakeup(loop) }

  /// Processes everything that does not need to wait.
  func perform() {
    var running: Int32 = 0
    unsafe _ = table.pointee.multi_perform(loop, &running)
  }

  /// Waits for the network, or for `wake`.
  func wait(_ time: Duration) {
    let milliseconds = Int32(clamping: time.milliseconds + 1)
    unsafe _ = table.pointee.multi_poll(loop, nil, 0, milliseconds, nil)
  }

  /// The result of the transfer; nil if it has not ended.
  func takeResult() -> CURLcode? {
    let code = unsafe ccurl_result(table, loop)
    return code < 0 ? nil : CURLcode(rawValue: UInt32(code))
  }
}
