// SPDX-License-Identifier: Apache-2.0
internal import CCurl

/// One request of libcurl and its reply.
///
/// Only HTTP/1.1 is used: with newer versions libcurl receives megabytes before a pause takes
/// effect.
@safe
struct CurlTransfer: ~Copyable {
  private let transfers: CurlTransfers
  private let handle: UnsafeMutableRawPointer
  private var lists: [UnsafeMutablePointer<curl_slist>] = unsafe []
  private let message: UnsafeMutablePointer<CChar>

  private var table: UnsafePointer<CCurlTable> { unsafe transfers.table }

  /// Prepares a request; nil if memory is insufficient.
  init?(_ transfers: CurlTransfers) {
    guard let handle = unsafe transfers.table.pointee.easy_init() else { return nil }
    self.transfers = transfers
    unsafe self.handle = handle
    unsafe message = .allocate(capacity: Int(CURL_ERROR_SIZE))
    unsafe message.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
  }

  deinit {
    unsafe _ = transfers.table.pointee.multi_remove_handle(transfers.loop, handle)
    unsafe transfers.table.pointee.easy_cleanup(handle)
    unsafe lists.forEach { unsafe transfers.table.pointee.slist_free_all($0) }
    unsafe message.deallocate()
  }

  /// Sets the address and the options.
  mutating func prepare(_ address: HTTPAddress, _ settings: HTTPSettings, fields: [String]) {
    set(CURLOPT_URL, address.target)
    if let user = address.user { set(CURLOPT_USERNAME, user) }
    if let password = address.password { set(CURLOPT_PASSWORD, password) }
    if !settings.usesProxy { set(CURLOPT_NOPROXY, "*") }
    if let path = settings.certificatePath { set(CURLOPT_CAINFO, path) }
    set(CURLOPT_USERAGENT, settings.userAgent)
    set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
    set(CURLOPT_PROTOCOLS, Int(CURLPROTO_HTTP | CURLPROTO_HTTPS))
    set(CURLOPT_REDIR_PROTOCOLS, Int(CURLPROTO_HTTP | CURLPROTO_HTTPS))
    set(CURLOPT_FOLLOWLOCATION, 1)
    set(CURLOPT_MAXREDIRS, max(0, settings.redirectLimit))
    set(CURLOPT_CONNECTTIMEOUT_MS, max(1, settings.connectTimeout.milliseconds))
    // The program handles its signals itself.
    set(CURLOPT_NOSIGNAL, 1)
    // Releasing the loop must not close connections.
    set(CURLOPT_FORBID_REUSE, 1)
    unsafe _ = ccurl_set_pointer(table, handle, CURLOPT_ERRORBUFFER, message)
    set(CURLOPT_HTTPHEADER, fields + (settings.asksForTitles ? ["Icy-MetaData: 1"] : []))
    set(CURLOPT_HTTP200ALIASES, ["ICY 200 OK"])
  }

  /// Starts the request.
  ///
  /// The C functions receive the header lines and bytes, with this context.
  ///
  /// - Returns: False if it cannot be started.
  func start(
    context: UnsafeMutableRawPointer, line: CCurlTaker, bytes: CCurlTaker
  ) -> Bool {
    unsafe _ = ccurl_set_pointer(table, handle, CURLOPT_HEADERDATA, context)
    unsafe _ = ccurl_set_pointer(table, handle, CURLOPT_WRITEDATA, context)
    unsafe _ = ccurl_set_taker(table, handle, CURLOPT_HEADERFUNCTION, line)
    unsafe _ = ccurl_set_taker(table, handle, CURLOPT_WRITEFUNCTION, bytes)
    return unsafe table.pointee.multi_add_handle(transfers.loop, handle) == CURLM_OK
  }

  /// Ends a pause; bytes that libcurl holds are delivered immediately.
  func goOn() { unsafe _ = table.pointee.easy_pause(handle, CURLPAUSE_CONT) }

  /// libcurl's message for a failure, in lower case; for a certificate it contains the details.
  func reason(_ code: CURLcode) -> String {
    let own = unsafe String(cString: message)
    if Self.isOfSecurity(code), let first = own.first {
      // Words such as `SSL` and `OpenSSL` keep their case.
      let isWord = !own.prefix { $0 != " " }.dropFirst().contains(where: \.isUppercase)
      return isWord ? first.lowercased() + own.dropFirst() : own
    }
    guard let text = unsafe table.pointee.easy_strerror(code) else {
      return "error \(code.rawValue)"
    }
    return unsafe String(cString: text).lowercased()
  }

  /// Returns true if a failure concerns the secure connection.
  static func isOfSecurity(_ code: CURLcode) -> Bool {
    [
      CURLE_SSL_CONNECT_ERROR, CURLE_SSL_ENGINE_NOTFOUND, CURLE_SSL_ENGINE_SETFAILED,
      CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER, CURLE_PEER_FAILED_VERIFICATION,
      CURLE_SSL_ENGINE_INITFAILED, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CRL_BADFILE,
      CURLE_SSL_ISSUER_ERROR, CURLE_SSL_PINNEDPUBKEYNOTMATCH, CURLE_SSL_INVALIDCERTSTATUS,
      CURLE_SSL_CLIENTCERT,
    ].contains { $0.rawValue == code.rawValue }
  }

  /// `CURLE_OUT_OF_MEMORY`.
  private static let outOfMemory: UInt32 = 27
  /// `CURLE_TOO_LARGE`, since libcurl 8.6.
  private static let tooLarge: UInt32 = 100

  /// Returns true if the failure can be a header line that is too long for libcurl.
  static func isOfLongLine(_ code: CURLcode) -> Bool {
    [outOfMemory, tooLarge].contains(code.rawValue)
  }

  private func set(_ option: CURLoption, _ value: Int) {
    unsafe _ = ccurl_set_number(table, handle, option, value)
  }

  private func set(_ option: CURLoption, _ value: String) {
    unsafe _ = ccurl_set_text(table, handle, option, value)
  }

  private mutating func set(_ option: CURLoption, _ values: [String]) {
    var list: UnsafeMutablePointer<curl_slist>?
    for value in values { unsafe list = table.pointee.slist_append(list, value) ?? list }
    guard let list = unsafe list else { return }
    unsafe lists.append(list)
    unsafe _ = ccurl_set_pointer(table, handle, option, list)
  }
}
