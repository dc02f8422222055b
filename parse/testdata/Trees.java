import java.io.*;
import java.nio.charset.StandardCharsets;
import org.antlr.v4.runtime.*;
import org.antlr.v4.runtime.misc.ParseCancellationException;
import org.antlr.v4.runtime.tree.*;
import org.antlr.v4.tool.Grammar;

/** Trees reads lines: "g TEXT" is a grammar, "t TEXT" a text. It prints ANTLR's tree of each text, or -. */
public class Trees {
  public static void main(String[] args) throws Exception {
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    PrintStream out = new PrintStream(new BufferedOutputStream(System.out), false, "UTF-8");
    Grammar g = null;
    boolean[] bad = new boolean[1];
    BaseErrorListener errors = new BaseErrorListener() {
      @Override public void syntaxError(Recognizer<?, ?> r, Object o, int line, int col, String m, RecognitionException e) { bad[0] = true; }
    };
    for (String line; (line = in.readLine()) != null; ) {
      String text = line.substring(2);
      if (line.charAt(0) == 'g') {
        g = new Grammar(text);
        if (g.tool.getNumErrors() > 0) throw new RuntimeException(text);
        continue;
      }
      bad[0] = false;
      LexerInterpreter lexer = g.createLexerInterpreter(CharStreams.fromString(text));
      ParserInterpreter parser = g.createParserInterpreter(new CommonTokenStream(lexer));
      lexer.removeErrorListeners();
      lexer.addErrorListener(errors);
      parser.removeErrorListeners();
      parser.addErrorListener(errors);
      parser.setErrorHandler(new BailErrorStrategy());
      ParseTree tree = null;
      try {
        tree = parser.parse(g.getRule("s").index);
      } catch (ParseCancellationException e) {
        bad[0] = true;
      }
      out.println(bad[0] ? "-" : Trees.show(tree, parser));
    }
    out.flush();
  }
  static String show(ParseTree t, Parser p) { return org.antlr.v4.runtime.tree.Trees.toStringTree(t, p).replace(" <EOF>", ""); }
}
