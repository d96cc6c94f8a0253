// SPDX-License-Identifier: Apache-2.0
import Synchronization
import Testing

@testable import CommandKit

@Suite struct StatusLineTests {
  /// A terminal of 20 columns that keeps what is written.
  private final class NarrowTerminal: ConsoleStream {
    private let written = Mutex("")
    var isTerminal: Bool { true }
    var size: (columns: Int, rows: Int)? { (20, 5) }
    var text: String { written.withLock { $0 } }

    func write(_ bytes: UnsafeRawBufferPointer) {
      let text = unsafe String(decoding: bytes, as: UTF8.self)
      written.withLock { $0 += text }
    }
  }

  @Test(arguments: ["C", "C.UTF-8"])
  func `a line fits the terminal in every locale`(locale: String) {
    let terminal = NarrowTerminal()
    let console = Console(output: terminal, messages: terminal, variables: ["LC_ALL": locale])
    Console.$current.withValue(console) { StatusLine.show("Größe×2 – a long line – …………") }
    let shown = terminal.text.replacing("\r\u{1B}[K", with: "")
    #expect(shown.count < 20, "\(shown)")
    #expect(locale == "C" ? shown == "Gr??ex2 - a long..." : shown == "Größe×2 – a long l…")
  }
}
