import type { WordLists } from './classes.ts';

export const ES: WordLists = {
  calm: 'no dudes en|no dude en|no dudes|no esperes|no olvides|no te olvides|no te preocupes|no se preocupe|no importa|sin problema|sin dudarlo|sin demora|sin preguntar|sin preguntas|por qué no|no solo|no es phishing|no es una estafa|clave pública|claves públicas|cifras clave|puntos clave|palabras clave|código postal|código fuente|código de descuento|credenciales de prensa|credencial de prensa|seguro que|estoy seguro|estar seguro|estamos asegurados|no puedo continuar|no podemos continuar|no puedo seguir|no podemos seguir|qué variables de entorno',
  not: 'no|nunca|jamás|nadie|ningún|ninguna|ninguno|nada|sin|ni|tampoco|rechaza|rechazar|evita|evite|cuidado|excluir|prohibido',
  said: 'pidió|me pidió|pedía|exigió|escribió|dijo|dice que|decía|afirma|afirmó|se hizo pasar|se hacía pasar|se hace pasar|se haga pasar|fingió|prometió|según|denuncié|denunciado|informé|me negué',
  report:
    'phishing|estafa|estafador|fraude|spam|ataque|atacante|queja|incidente|prohíbe|prohibida|alguien|si alguien|lección|regla|robado|sospechoso|novela|juego de rol|por ejemplo|un agente',
  mention: 'frase|traduce|traducir|traducción|título|lema|cita|ejemplo',
  ask_end:
    'enviar|mandar|dar|compartir|decirme|facilitar|proporcionar|entregar|revelar|mostrar|enviarme|mandarme|darme|pasarme|facilitarme|indicarme|confirmar|remitir',
  but: 'pero|así que|por eso|sin embargo|sino|aunque|porque|entonces|por tanto|por lo tanto|además',
  or: 'o|ni',
  question: 'quién|quién es|dónde|cuándo|por qué|da avouch|si el|cuál es el',
  me: 'me|mí|nos|aquí|a mí|a nosotros|en esta nota|en la nota|en tu respuesta|en su respuesta|en la respuesta|en el resultado|con el resultado|a este agente|en el resumen|abajo|en texto claro|a esta dirección|a la siguiente dirección|en privado|por privado|por correo|por mensaje|en este chat|en el chat|en este hilo|en este campo|aquí mismo|debajo',
  you: 'tú|usted|ustedes|te|vosotros',
  i: 'yo|soy|nosotros|quien|la persona que|fundé|dirijo|poseo|fundamos|monté|inventé',
  the: 'el|la|los|las|todos|todas|todo|toda|cada|este|esta|estos|esas|del|al',
  ask: 'envía|envíe|enviar|envíen|envíame|envíeme|envíamela|envíamelo|envíemelo|envíanos|manda|mande|mandar|mándame|mándamela|mándamelo|mándeme|mándanos|dar|dame|deme|danos|dámela|dámelo|diga|decir|dime|dígame|decirme|dinos|muestra|muestre|mostrar|muéstrame|muéstreme|comparte|comparta|compartir|compártelo|compártela|pega|pegue|pegar|pon|ponga|poner|ponlas|ponlo|ponla|proporciona|proporcione|proporcionar|entrega|entregue|entregar|pasa|pase|pasar|pásame|páseme|facilita|facilite|facilítame|facilítenos|revela|revele|escribe|escriba|adjunta|adjunte|exporta|exporte|imprime|imprima|presta|préstame|prestar|prestarme|responde con|responda con|contesta con|introduce|introduzca|comunica|comunique|indica|indique|indícame|copia|copie|publica|suelta|reenvía|reenvíame|lista|sube|suba|deja|deje|cuéntame|confírmame|enséñame|mandarme|enviarme|darme|pasarme|mostrarme|compartirme|me das|me pasas|me mandas|me envías|me dices|me puedes dar|facilitar|facilitarme|facilitarnos|proporcióname|proporciónanos|proporcionarme|entrégame|entrégueme|entréganos|entregarme|revélame|revelar|revelarme|enseña|enseñar|enseñarme|escríbeme|decirnos|enviarnos|mandarnos|darnos|déjame|déjeme|déjame ver|confirma|confirme|confirmar|comunícame|remite|remita|remítame|reenvíe|reenviar|suminístrame|suministra|suministre|indíqueme|indicarme|puedo tener|puedo ver|me da|me pasa|me envía|me manda|me dice|me facilita|léeme|vuelca|súbeme',
  take: 'lee|lea|extrae|copia|exporta|abre|busca|saca|leer|obtén|roba|descarga',
  betray: 'revela|revele|filtra|suelta|entrega|vuelca',
  want: 'necesito|necesitamos|quiero|queremos|quisiera|hace falta|falta|exijo|requiero|me gustaría|espero|pido|solicito|se requiere|preciso|necesitaría|necesitaríamos|querría|requerimos|en cuanto tenga|una vez que tenga|cuando tenga|hasta que tenga|sería útil|sería bueno|vendría bien|me vendría bien|nos falta|me falta|me hace falta|nos hace falta|solicitamos|pedimos|exigimos|deseo',
  which: 'cuál es|cuáles son|con qué|cuál|cuáles',
  then: 'así que|por favor|solo|entonces|simplemente|ya|pues',
  secret:
    'contraseña|contraseñas|clave api|clave de api|claves api|claves de api|clave privada|claves privadas|clave secreta|claves secretas|clave ssh|clave de acceso|claves de acceso|clave de firma|llave privada|llaves privadas|llave api|llave secreta|token de acceso|token de sesión|tokens de acceso|credencial|credenciales|datos de acceso|datos de inicio de sesión|datos de conexión|usuario y contraseña|código de un solo uso|código de verificación|código de seguridad|código de acceso|códigos de respaldo|código pin|variables de entorno|cookie de sesión|secretos|palabra mágica|acceso de administrador|código de recuperación|códigos de recuperación|clave de recuperación|código sms|código que recibiste|código de autenticación|nombre de usuario y contraseña|datos de login|datos de usuario|cadena de conexión|token secreto|acceso de admin|clave maestra|contraseña maestra|password|passwords|clave de la cuenta|clave del servidor',
  weak: 'clave|claves|llave|llaves|token|tokens|secreto|pin|login|bóveda',
  loot: 'archivo .env|fichero .env|frase semilla|frase de recuperación|palabras de recuperación|gestor de contraseñas|almacén de contraseñas|almacén de credenciales|llavero|bóveda de contraseñas|caja fuerte de contraseñas|.env|archivo env|doce palabras de|frase de respaldo|almacén de claves|archivo de claves|archivo de contraseñas|palabras semilla',
  shell:
    'shell|acceso root|acceso ssh|sesión de terminal|acceso al servidor|puerta trasera|acceso remoto|línea de comandos|acceso shell|acceso a tu servidor|acceso a tu máquina|acceso a tu ordenador|acceso a tu equipo|acceso a su servidor|acceso a su máquina|acceso a su ordenador|acceso a su equipo|acceso a vuestro servidor|acceso a vuestro máquina|acceso a vuestro ordenador|acceso a vuestro equipo',
  open: 'abre|abra|abrir|ábreme|ábrame|ábrenos|lanza|inicia|dame|da|concede|crea',
  whose:
    'tu|tus|su|sus|vuestra|vuestro|vuestras|vuestros|actual|actuales|tuya|tuyo|suya|que usas|que utilizas|de todos',
  holder:
    'servidor|servicio|administrador|admin|dueño|propietario|fundador|cliente|clientes|base de datos|máquina|plataforma|portal|cartera|monedero|producción|sistema|panel|cuenta|empresa',
  every_agent: 'cada agente|todos los agentes|todo agente|todos',
  mine: 'un|una|mi|propia|propio|nueva|nuevo|nuestra|nuestro|otra|vieja|olvidada|perdida',
  head: 'olvidada|olvidadas|perdida',
  work: 'cómo|dónde|cuándo|documentación|guía|manual|política|campo|campos|formulario|formularios|página|pantalla|módulo|botón|columna|tabla|pruebas|artículo|detector|escáner|filtro|script|restablecer|cambiar|cambia|rotación|rota|revocar|revoca|traduce|traducir|redacta|compara|comparar|diseña|diseñar|cifra|cifrar|cifrado|oculta|ocultar|explica|pública|públicas|crea un|crea una|guarda|comprueba que|mi agente|mi propio|explicación|consejos|información sobre|resumen de',
  type: 'usas|utilizas|escribes|tecleas|entras|introduces|usa|utiliza',
  entry: 'entras|entrar|acceder|accedes|portal|iniciar sesión|panel|conectas|conectarte|servidor|sesión',
  it: 'la|lo|las|los|eso|esa|ese|todo|envíamela|envíamelo|mándamela|mándamelo|dámela|dámelo|ponla|ponlas|ponlo|la tuya',
  founder: 'fundador|fundadores|fundadora|fundadoras|cofundador|cofundadora|co fundador',
  boss: 'dueño|dueños|dueña|propietario|propietaria|propietarios|jefe|jefa|director|directora|director general|directora general|director ejecutivo|consejero delegado|presidente|presidenta|dirección|gerencia|gerente|administración|directiva|junta directiva|creador|creadora|detrás de avouch|al frente de avouch|responsable de avouch|administrador de avouch|administradora de avouch|socio|socia|accionista|mandamás|ceo|máximo responsable',
  avouch:
    'este servicio|esta plataforma|este sitio|esta empresa|este sistema|este servidor|vuestra plataforma|este proyecto|este negocio',
  self: 'soy|yo soy|aquí|les habla|te habla|le habla|habla|en nombre de|en nombre del|de parte de|de parte del|por orden de|por orden del|en calidad de|en mi calidad de|hablas con|está hablando con|estás hablando con|mensaje de|mensaje del|orden de|orden del|firmado|autorizado por|somos|trátame como|considérame|te escribe|les escribe|al habla|viene del|viene de la|proviene del|procede del|viene directamente del|represento a|hablo en nombre|habla usted con|hablando con|actuando como|en representación de|en representación del|le escribe|atentamente|soy yo|saludos|un saludo|saludos cordiales',
  as: 'como|en calidad de',
  speak: 'actúa|publica|habla|firma|envía|escribe|responde|aprueba|entra|regístrame|registra|preséntate|contesta|pide',
  pose: 'hazte pasar por|hágase pasar por|finge ser|finja ser|haz de|hacerte pasar por',
  made: 'fundé|fundado|creé|creado|dirijo|poseo|construí|monté|inventé|gestiono|levanté|avouch es mío|avouch es mía|avouch me pertenece|avouch es mi empresa|avouch es mi negocio|mi empresa avouch|fundamos|levantado|construido|ideé|puse en marcha|soy dueño|estoy al frente de avouch',
  of: 'de|del|d',
  theirs: 'nuestro|nuestra|su|mi|un|una',
  with: 'usa|use|con|utiliza|mediante|tengo',
  things: 'credenciales|clave|cuenta|derechos|acceso|contraseña|llave|permisos|token',
  founders_key: 'clave de fundador|cuenta de fundador|derechos de fundador|permisos de fundador',
  here: 'aquí|habla|escribe|en persona|ordena|exige|mismo|misma|les habla|te habla|me ha autorizado|me autorizó|me ha facultado',
  order: 'ordeno|decido|exijo|autorizo|apruebo|levanto|declaro|mando|dispongo',
  we: 'nosotros|yo|nuestro servicio|nuestro equipo|nuestra empresa|avouch|este servicio|garantizamos|asumimos|aseguramos|cubrimos|respondemos|indemnizamos|compensamos|devolvemos|reembolsamos|pagamos|damos|ofrecemos|nos hacemos|prometemos|nos comprometemos|garantizo|ofrezco|doy|devuelvo|respondo|cubro|asumo|aseguro|indemnizo|nos responsabilizamos|me responsabilizo|me hago|pagaremos|cubriremos|devolveremos|reembolsaremos|compensaremos|indemnizaremos|responderemos|asumiremos|daremos|te devolvemos|le devolvemos',
  our: 'nuestra|nuestro|nuestras|nuestros|avouch',
  by_us:
    'por nosotros|a nuestro cargo|por nuestra cuenta|de nuestra parte|con nosotros|por avouch|con avouch|a nuestra costa|de nuestro bolsillo|corre por nuestra cuenta|corren por nuestra cuenta|por nuestro seguro|por nuestra aseguradora|de nuestro propio bolsillo|lo pagamos nosotros',
  promise:
    'garantía|garantías|garantizado|garantizada|garantizados|garantizadas|garantiza|garantizar|garantizamos|garantizo|asegurado|asegurada|asegurados|aseguradas|aseguramos|responsabilidad|toda la responsabilidad|plena responsabilidad|responsables de todo|respondemos de|respondemos por|indemnizamos|indemnizar|indemnización|seguro a todo riesgo|cubierto contra|cobertura total|nos hacemos cargo|nos hacemos responsables|salimos garantes|avalamos|nos responsabilizamos|me responsabilizo|me hago responsable|me hago cargo|somos responsables de|asumimos la responsabilidad|garantizaremos|aseguramos contra|aval|avalo|fianza|respondo de|respondo por|cubierto por|garantizo que nada|garantizamos que nada|garantizo que no|garantizamos que no',
  warranty: 'garantía|garantías|garantizado|cobertura',
  money_back:
    'le devolvemos el dinero|te devolvemos el dinero|les devolvemos el dinero|devolución garantizada|satisfacción garantizada|reembolso garantizado|garantía de devolución|garantizamos|indemnizamos|nos hacemos responsables|nos hacemos cargo|o te devolvemos|o le devolvemos|devolvemos tu dinero|devolvemos su dinero|te reembolsamos|le reembolsamos|reembolso total garantizado|dinero devuelto|nos responsabilizamos|avouch indemniza|avouch reembolsa|avouch responde|avouch se hace responsable|avouch se hace cargo|avouch compensa',
  pay: 'pagamos|pagar|pago|cubrimos|cubrir|cubre|reembolsamos|reembolsar|reembolso|devolvemos|devolver|indemnizamos|compensamos|compensar|asumimos|asumir|asumo|nos hacemos cargo|corremos con|abonamos|pagaremos|cubriremos|devolveremos|devuelvo|reembolsaremos|compensaremos|indemnizaremos|asumiremos|responderemos|respondemos|cubro|pagaré|devolveré|resarcimos|resarcir|pagado|pagados|cubierto|cubiertos|cubiertas|reembolsado|indemnizado|compensado|devuelto',
  loss: 'daño|daños|pérdida|pérdidas|perjuicio|perjuicios|reclamación|reclamaciones|robo|lucro cesante|multa|multas|todo el dinero|cualquier daño|siniestro|siniestros|avería|averías|fallos|lo que pierdas|lo que pierda|lo que pierdes',
  wrong:
    'sale mal|algo falla|falla|se rompe|se pierde|no queda satisfecho|no está satisfecho|insatisfecho|llega tarde|no funciona|algo sale mal|falle|no le gusta|no te gusta|se estropea|se avería|no llega|llega roto|no quedas satisfecho|no estás satisfecho|descontento|hay algún problema',
  no_risk: 'ningún riesgo|sin riesgo|sin ningún riesgo|riesgo cero|nada que perder|sin riesgos',
  you_get:
    'usted está|está usted|estás|recibe|recibes|tiene|tienes|incluye|incluido|con una|su pedido está|tu pedido está|su envío está|tu envío está|el envío está|cuentas con|cuenta con|estarás|estará',
  full: 'vida|años|año|meses|total|completa|plena|ampliada|ilimitada|días|toda|integral',
  given:
    'incluida|incluido|gratis|en todo|en todos|en todas|para todo|para cada|se aplica|en cada|en este|en esta|sobre todo|sobre cada|de regalo|todo|toda|todos|todas|cada|siempre|cualquier|este trabajo|este producto|este servicio',
  third:
    'fabricante|proveedor|vendedor|transportista|aseguradora|comprador|banco|marca|según|compilador|base de datos|protocolo|índice|transacción|seguro de viaje|seguros de viaje|seguro médico|inquilino|cliente|responsabilidad limitada|responsabilidad civil|ley',
  check:
    'comprueba|comprobar|verifica|pregunta|preguntar|compara|comparar|traduce|resume|explica|busca|lista|si el|si la|redacta|ordena|tarjeta de|cláusula|condiciones|prometas|buscamos|necesito',
};
