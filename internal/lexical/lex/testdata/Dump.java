// Dump prints how ANTLR's own lexer cuts texts: for each i < n the grammar
// DIR/i.g4 and every line of DIR/i.txt. Run with the ANTLR jar on the class
// path: java -cp JAR Dump.java DIR n. One line for each grammar, SKIP if ANTLR
// refuses it; texts end with |, ERR marks the first error.

import java.io.PrintStream;
import java.nio.file.*;
import org.antlr.v4.runtime.*;
import org.antlr.v4.tool.LexerGrammar;

public class Dump {
  public static void main(String[] args) throws Exception {
    PrintStream out = new PrintStream(System.out, true, "UTF-8");
    for (int i = 0; i < Integer.parseInt(args[1]); i++) {
      LexerGrammar g;
      try {
        g = new LexerGrammar(Files.readString(Path.of(args[0], i + ".g4")));
        if (g.tool.errMgr.getNumErrors() > 0) throw new IllegalArgumentException();
      } catch (Throwable t) {
        out.println("SKIP");
        continue;
      }
      StringBuilder b = new StringBuilder();
      for (String text : Files.readAllLines(Path.of(args[0], i + ".txt"))) {
        dump(g, text, b);
        b.append("|");
      }
      out.println(b);
    }
  }

  static void dump(LexerGrammar g, String text, StringBuilder b) {
    LexerInterpreter lexer = g.createLexerInterpreter(CharStreams.fromString(text));
    boolean[] failed = {false};
    lexer.removeErrorListeners();
    lexer.addErrorListener(new BaseErrorListener() {
      @Override
      public void syntaxError(Recognizer<?, ?> r, Object o, int line, int col, String msg, RecognitionException e) {
        failed[0] = true;
      }
    });
    for (;;) {
      Token t = lexer.nextToken();
      if (failed[0]) {
        b.append("ERR");
        return;
      }
      if (t.getType() == Token.EOF) return;
      b.append(lexer.getVocabulary().getSymbolicName(t.getType())).append(":").append(t.getText()).append(" ");
    }
  }
}
